extern "C" __global__ void f(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0, term = 1;
  for (int k = 1; k <= TERMS; ++k) {
    sum += term;
    term *= x[i] / k;
  }
  y[i] = sum;
}
