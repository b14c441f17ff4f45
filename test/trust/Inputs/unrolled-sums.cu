extern "C" __global__ void f(const float *x, float *y, int cols) {
  extern __shared__ float s[];
  const float *row = x + blockIdx.x * cols;
  int t = threadIdx.x;
  float sum = 0;
  for (int c = t; c < cols; c += blockDim.x)
    sum += row[c];
  s[t] = sum;
  __syncthreads();
  if (blockDim.x >= 512 && t < 256)
    s[t] = sum = sum + s[t + 256];
  __syncthreads();
  if (blockDim.x >= 256 && t < 128)
    s[t] = sum = sum + s[t + 128];
  __syncthreads();
  if (blockDim.x >= 128 && t < 64)
    s[t] = sum = sum + s[t + 64];
  __syncthreads();
  if (t < 32) {
    sum += s[t + 32];
    for (int lane = 16; lane > 0; lane /= 2)
      sum += __shfl_down_sync(0xffffffff, sum, lane);
  }
  if (t == 0)
    y[blockIdx.x] = sum;
}
