extern "C" __global__ void f(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[blockIdx.x * 256 + threadIdx.x < n ? blockIdx.x * 256 + threadIdx.x : 0];
}
