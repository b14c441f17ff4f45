extern "C" __global__ void f(const float *x, float *y, int n) {
  extern __shared__ float tile[];
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column < n && row < n)
    tile[threadIdx.y * blockDim.x + threadIdx.x] = x[row * n + column];
  __syncthreads();
  if (column < n && row < n)
    y[column * n + row] = tile[threadIdx.y * blockDim.x + threadIdx.x];
}
