// The update in step k of Gaussian elimination of an n x n matrix in row-major order: what lies below and to the right
// of the pivot loses its multiple of the pivot row. Column k already holds the multipliers.
__global__ void lu_update(float *A, int n, int k) {
  int col = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  int row = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;

  if (row < n && col < n)
    A[row * n + col] -= A[row * n + k] * A[k * n + col];
}
