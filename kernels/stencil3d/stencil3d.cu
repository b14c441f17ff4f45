// One explicit step of the heat equation with the seven-point stencil on a grid of nx * ny * nz points, x fastest:
// out = c0 * in + c1 * (sum of the six neighbours) at inner points; the border is left alone.
__global__ void stencil3d(const float *in, float *out, int nx, int ny, int nz, float c0, float c1) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;

  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1) {
    int plane = nx * ny;
    int i = z * plane + y * nx + x;
    out[i] = c0 * in[i] + c1 * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - plane] + in[i + plane]);
  }
}
