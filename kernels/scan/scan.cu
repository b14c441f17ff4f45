// Inclusive prefix sums of n unsigned integers within each block of BLOCK elements, and the sum of each block, from
// which a second pass would add the offsets. Hillis and Steele's scan: log2(BLOCK) steps over two shared buffers.
#ifndef BLOCK
#define BLOCK 256
#endif

__global__ void scan(const unsigned *in, unsigned *out, unsigned *block_sums, int n) {
  __shared__ unsigned temp[2][BLOCK];

  int tid = threadIdx.x;
  int i = blockIdx.x * BLOCK + tid;
  int current = 0;
  temp[current][tid] = i < n ? in[i] : 0;
  __syncthreads();

  for (int offset = 1; offset < BLOCK; offset *= 2) {
    unsigned value = temp[current][tid];
    if (tid >= offset)
      value += temp[current][tid - offset];
    current = 1 - current;
    temp[current][tid] = value;
    __syncthreads();
  }

  if (i < n)
    out[i] = temp[current][tid];
  if (tid == BLOCK - 1)
    block_sums[blockIdx.x] = temp[current][tid];
}
