// y = A * x for a sparse matrix in compressed rows (CSR): the elements of row r are values[row_start[r] ...
// row_start[r + 1] - 1], in the columns that columns[] says. One row a thread, so threads of a warp take as long as its
// longest row.
__global__ void spmv(int rows, const int *row_start, const int *columns, const float *values, const float *x,
                     float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0.0f;
    for (int i = row_start[row]; i < row_start[row + 1]; i++)
      sum += values[i] * x[columns[i]];
    y[row] = sum;
  }
}
