// One explicit step of the heat equation with the seven-point stencil on a grid of nx * ny * nz points, x fastest:
// out = c0 * in + c1 * (sum of the six neighbours) at inner points; the border is left alone. A block of TILE_X x
// TILE_Y threads walks up along z. The plane it is at lies in shared memory with a halo of one; each thread keeps the
// points below and above its own in registers.
#ifndef TILE_X
#define TILE_X 32
#endif
#ifndef TILE_Y
#define TILE_Y 8
#endif

__global__ void stencil3d(const float *in, float *out, int nx, int ny, int nz, float c0, float c1) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];

  int x = blockIdx.x * TILE_X + threadIdx.x;
  int y = blockIdx.y * TILE_Y + threadIdx.y;
  int tx = threadIdx.x + 1;
  int ty = threadIdx.y + 1;
  int plane = nx * ny;
  int i = y * nx + x;
  bool exists = x < nx && y < ny;
  bool inner = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;

  float below = 0.0f;
  float current = exists ? in[i] : 0.0f;
  float above = exists ? in[i + plane] : 0.0f;

  for (int z = 1; z < nz - 1; z++) {
    i += plane;
    below = current;
    current = above;
    above = exists ? in[i + plane] : 0.0f;

    __syncthreads();
    tile[ty][tx] = current;
    if (exists) {
      if (tx == 1 && x > 0)
        tile[ty][0] = in[i - 1];
      if (tx == TILE_X && x < nx - 1)
        tile[ty][TILE_X + 1] = in[i + 1];
      if (ty == 1 && y > 0)
        tile[0][tx] = in[i - nx];
      if (ty == TILE_Y && y < ny - 1)
        tile[TILE_Y + 1][tx] = in[i + nx];
    }
    __syncthreads();

    if (inner)
      out[i] =
          c0 * current + c1 * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx] + below + above);
  }
}
