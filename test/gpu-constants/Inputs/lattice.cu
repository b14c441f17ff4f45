__constant__ int dx[5] = {0, 1, 0, -1, 0};
__constant__ int dy[5] = {0, 0, 1, 0, -1};
__constant__ float weight[5];
__constant__ float first[4] = {1, 2, 3, 4};

// Loops that are unrolled, and one that is not.
__global__ void stencil(const float *in, float *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float sum = first[x % 4];
  for (int k = 0; k < 5; ++k) {
    int column = x + dx[k], row = y + dy[k];
    if (column >= 0 && column < width && row >= 0 && row < height)
      sum += weight[k] * in[row * width + column];
  }
  for (int k = 0; k < width % 7; ++k)
    sum += dx[k % 5] * first[(x + k) & 3];
  out[y * width + x] = sum;
}
