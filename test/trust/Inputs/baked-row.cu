extern "C" __global__ void f(const float *x, float *y, int n) {
  __shared__ float tile[64][17];
  int first = blockIdx.x * 64;
  for (int i = threadIdx.x; i < 64 * 16; i += blockDim.x)
    tile[i / 16][i % 16] = first + i / 16 < n ? x[first * 16 + i] : 0;
  __syncthreads();
  int row = first + threadIdx.x;
  if (threadIdx.x < 64 && row < n) {
    float most = tile[threadIdx.x][0];
    for (int c = 1; c < 16; ++c)
      most = fmaxf(most, tile[threadIdx.x][c]);
    y[row] = most;
  }
}
