extern "C" __global__ void f(const float *x, float *y, int n, int terms) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k + BY <= terms; k += BY)
    for (int j = 0; j < BY; ++j)
      sum += x[(k + j) * n + i];
  y[i] = sum;
}
