// The second half of y = transpose(A) * (A * x): y = transpose(A) * t for a row-major matrix of m rows and n columns,
// with t = A * x known. One column a thread, so that the threads of a warp read along a row.
__global__ void atax(const float *A, const float *t, float *y, int m, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col < n) {
    float sum = 0.0f;
    for (int row = 0; row < m; row++)
      sum += A[row * n + col] * t[row];
    y[col] = sum;
  }
}
