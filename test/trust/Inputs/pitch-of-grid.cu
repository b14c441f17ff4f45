extern "C" __global__ void f(const float *x, float *y, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  int i = row * gridDim.x * blockDim.x + column;
  if (column < n && row < n && i < n * n)
    y[i] = 2 * x[i];
}
