// LU decomposition of A + n I without pivoting, in place, of an n x n matrix in row-major order. Step k divides what lies
// below the pivot by it; then what lies below and to the right loses its multiple of the pivot row.
__global__ void add_to_diagonal(float *A, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    A[i * n + i] += static_cast<float>(n);
}

__global__ void scale_column(float *column, const float *pivot, int rows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows)
    column[i * n] /= *pivot;
}

__global__ void update(float *A, int n, int k) {
  int col = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  int row = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && col < n)
    A[row * n + col] -= A[row * n + k] * A[k * n + col];
}
