extern "C" __global__ void f(const float *x, float *y, int n) {
  if (blockIdx.x == 0)
    for (int i = threadIdx.x; i < n; i += 256)
      y[i] = 0.5f * y[i] + x[i];
}
