// y = alpha * A * x + beta * y for a row-major matrix of m rows and n columns, one row a thread.
__global__ void sgemv(int m, int n, float alpha, const float *A, const float *x, float beta, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m) {
    float sum = 0.0f;
    for (int col = 0; col < n; col++)
      sum += A[row * n + col] * x[col];
    y[row] = alpha * sum + beta * y[row];
  }
}
