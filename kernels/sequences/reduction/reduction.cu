// The sum of n floats in two launches: the part of each block, then one block adds the parts.
#define BLOCK 256

__device__ float block_sum(float value) {
  __shared__ float sums[BLOCK];
  int tid = threadIdx.x;
  sums[tid] = value;
  __syncthreads();
  for (int stride = BLOCK / 2; stride > 0; stride >>= 1) {
    if (tid < stride)
      sums[tid] += sums[tid + stride];
    __syncthreads();
  }
  return sums[0];
}

__global__ void partial_sums(const float *data, float *partial, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  float sum = block_sum(i < n ? data[i] : 0.0f);
  if (threadIdx.x == 0)
    partial[blockIdx.x] = sum;
}

__global__ void total_sum(const float *partial, float *total, int parts) {
  float value = 0;
  for (int i = threadIdx.x; i < parts; i += BLOCK)
    value += partial[i];
  float sum = block_sum(value);
  if (threadIdx.x == 0)
    *total = sum;
}
