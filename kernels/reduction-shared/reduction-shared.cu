// The sum of each block's part of n floats: partial[b] = sum of data[b * BLOCK ... (b + 1) * BLOCK - 1]. The threads
// of a block add pairwise in shared memory; a second launch (or the host) adds the partial sums.
#ifndef BLOCK
#define BLOCK 256
#endif

__global__ void reduce(const float *data, float *partial, int n) {
  __shared__ float sums[BLOCK];

  int tid = threadIdx.x;
  int i = blockIdx.x * BLOCK + tid;
  sums[tid] = i < n ? data[i] : 0.0f;
  __syncthreads();

  for (int stride = BLOCK / 2; stride > 0; stride >>= 1) {
    if (tid < stride)
      sums[tid] += sums[tid + stride];
    __syncthreads();
  }

  if (tid == 0)
    partial[blockIdx.x] = sums[0];
}
