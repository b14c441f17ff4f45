extern "C" __global__ void f(const float *a, const float *b, float *c, int n) {
  __shared__ float s[TILE][TILE], t[TILE][TILE];
  int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += TILE) {
    s[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    t[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < TILE; ++i)
      sum += s[threadIdx.y][i] * t[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
