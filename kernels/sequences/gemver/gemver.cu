// The BLAS routine GEMVER in three launches: B = A + u1 v1' + u2 v2', x = beta B' y + z, w = alpha B x; B is n by n and stored
// row by row.
__global__ void rank_two_update(const float *a, const float *u1, const float *v1, const float *u2, const float *v2, float *b,
                                int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && column < n)
    b[row * n + column] = a[row * n + column] + u1[row] * v1[column] + u2[row] * v2[column];
}

__global__ void transposed_product(const float *b, const float *y, const float *z, float *x, float beta, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= n)
    return;
  float sum = 0;
  for (int row = 0; row < n; ++row)
    sum += b[row * n + column] * y[row];
  x[column] = beta * sum + z[column];
}

__global__ void product(const float *b, const float *x, float *w, float alpha, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n)
    return;
  float sum = 0;
  for (int column = 0; column < n; ++column)
    sum += b[row * n + column] * x[column];
  w[row] = alpha * sum;
}
