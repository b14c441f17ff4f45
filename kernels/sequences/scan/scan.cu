// Inclusive prefix sums of n unsigned integers in three launches: within each block, over the sums of the blocks, and the addition of
// what comes before each block.
#define BLOCK 256

__global__ void scan_blocks(const unsigned *in, unsigned *out, unsigned *block_sums, int n) {
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

__global__ void scan_sums(unsigned *block_sums, unsigned *offsets, int blocks) {
  unsigned sum = 0;
  for (int first = 0; first < blocks; first += BLOCK) {
    __shared__ unsigned temp[2][BLOCK];
    int tid = threadIdx.x, i = first + tid, current = 0;
    temp[0][tid] = i < blocks ? block_sums[i] : 0;
    __syncthreads();
    for (int offset = 1; offset < BLOCK; offset *= 2) {
      unsigned value = temp[current][tid];
      if (tid >= offset)
        value += temp[current][tid - offset];
      current = 1 - current;
      temp[current][tid] = value;
      __syncthreads();
    }
    if (i < blocks)
      offsets[i] = sum + temp[current][tid] - block_sums[i];
    sum += temp[current][BLOCK - 1];
    __syncthreads();
  }
}

__global__ void add_offsets(unsigned *out, const unsigned *offsets, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] += offsets[i / BLOCK];
}
