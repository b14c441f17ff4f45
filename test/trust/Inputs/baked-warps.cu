extern "C" __global__ void f(const float *x, float *y, int cols) {
  __shared__ float s[8];
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    sum += x[blockIdx.x * cols + c];
  for (int lane = 16; lane > 0; lane /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, lane);
  if (threadIdx.x % 32 == 0)
    s[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0;
    for (int i = 0; i < 8; ++i)
      total += s[i];
    y[blockIdx.x] = total;
  }
}
