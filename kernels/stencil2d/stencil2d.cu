// One Jacobi step of the five-point Laplace equation over a grid of ny rows and nx columns: every inner point becomes
// the mean of its four neighbours; the border is left alone.
__global__ void stencil2d(const float *in, float *out, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;

  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
    int i = y * nx + x;
    out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx]);
  }
}
