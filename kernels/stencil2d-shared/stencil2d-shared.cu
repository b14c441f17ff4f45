// One Jacobi step of the five-point Laplace equation over a grid of ny rows and nx columns, as a block of TILE x TILE
// threads that share their points, and those around them, in a tile with a halo of one.
#ifndef TILE
#define TILE 16
#endif

__global__ void stencil2d(const float *in, float *out, int nx, int ny) {
  __shared__ float tile[TILE + 2][TILE + 2];

  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  int tx = threadIdx.x + 1;
  int ty = threadIdx.y + 1;
  int i = y * nx + x;

  if (x < nx && y < ny) {
    tile[ty][tx] = in[i];
    if (tx == 1 && x > 0)
      tile[ty][0] = in[i - 1];
    if (tx == TILE && x < nx - 1)
      tile[ty][TILE + 1] = in[i + 1];
    if (ty == 1 && y > 0)
      tile[0][tx] = in[i - nx];
    if (ty == TILE && y < ny - 1)
      tile[TILE + 1][tx] = in[i + nx];
  }
  __syncthreads();

  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
    out[i] = 0.25f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
}
