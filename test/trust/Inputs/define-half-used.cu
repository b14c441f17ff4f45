extern "C" __global__ void f(const float *x, float *y, int n) {
  __shared__ float tile[TILE][TILE + 1];
  int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = x[row * n + column];
  __syncthreads();
  column = blockIdx.y * 16 + threadIdx.x, row = blockIdx.x * TILE + threadIdx.y;
  if (column < n && row < n)
    y[row * n + column] = tile[threadIdx.x][threadIdx.y];
}
