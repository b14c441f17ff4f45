// The sum of each block's part of n floats: the lanes of a warp add by shuffles, then the first warp adds the sums of
// all warps. Blocks have BLOCK threads, a multiple of 32; a thread strides over the array by the whole grid.
#ifndef BLOCK
#define BLOCK 256
#endif

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset >>= 1)
    value += __shfl_down_sync(0xffffffff, value, offset);
  return value;
}

__global__ void reduce(const float *data, float *partial, int n) {
  __shared__ float warp_sums[32];

  float sum = 0.0f;
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK)
    sum += data[i];

  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  sum = warp_sum(sum);
  if (lane == 0)
    warp_sums[warp] = sum;
  __syncthreads();

  if (warp == 0) {
    sum = lane < BLOCK / 32 ? warp_sums[lane] : 0.0f;
    sum = warp_sum(sum);
    if (lane == 0)
      partial[blockIdx.x] = sum;
  }
}
