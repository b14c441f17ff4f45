extern "C" __global__ void f(const float *x, unsigned *y, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    y[i] = i < n / 2 ? i : 0xa5a5a5a5;
}
