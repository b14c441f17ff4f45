extern "C" __global__ void f(const int *x, int *y, int cols) {
  __shared__ int s[512];
  int most = x[blockIdx.x * cols];
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    most = min(most, x[blockIdx.x * cols + c]);
  s[threadIdx.x] = most;
  __syncthreads();
  for (int k = 256; k > 0; k /= 2) {
    if (threadIdx.x < k)
      s[threadIdx.x] = min(s[threadIdx.x], s[threadIdx.x + k]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    y[blockIdx.x] = s[0];
}
