extern "C" __global__ void f(const float *x, float *y, int cols) {
  extern __shared__ float s[];
  const float *row = x + blockIdx.x * cols;
  __shared__ float warps[32];
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    sum += row[c];
  for (int lane = 16; lane > 0; lane /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, lane);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0;
    for (int lane = 16; lane > 0; lane /= 2)
      sum += __shfl_xor_sync(0xffffffff, sum, lane);
    if (threadIdx.x == 0)
      y[blockIdx.x] = sum;
  }
}
