extern "C" __global__ void f(const float *x, float *y, int n) {
  __shared__ float s[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 32)
    s[threadIdx.x] = x[threadIdx.x];
  __syncwarp();
  if (i < n)
    y[i] = x[i] * s[i % 32];
}
