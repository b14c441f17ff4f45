extern "C" __global__ void f(const float *x, float *y, int n, int threads) {
  int i = blockIdx.x * threads + threadIdx.x;
  if (i < n)
    y[i] = 2 * x[i];
}
