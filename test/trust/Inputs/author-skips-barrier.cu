extern "C" __global__ void f(const float *x, float *y, int n) {
  __shared__ float s[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  s[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = s[threadIdx.x & ~1];
}
