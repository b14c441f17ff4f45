const int BX = 32, BY = 8;

extern "C" __global__ void f(const float *x, float *y, int n) {
  __shared__ float tile[BY][BX + 1];
  int column = blockIdx.x * BX + threadIdx.x, row = blockIdx.y * BY + threadIdx.y;
  bool inside = column < n && row < n;
  tile[threadIdx.y][threadIdx.x] = inside ? x[row * n + column] : 0;
  __syncthreads();
  if (inside)
    y[row * n + column] = 2 * tile[threadIdx.y][threadIdx.x];
}
