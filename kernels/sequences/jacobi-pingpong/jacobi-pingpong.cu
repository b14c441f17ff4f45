// Jacobi's method for Laplace's equation on a square: a sweep reads one array and writes the other, and the program swaps
// them. The border stays.
__global__ void sweep(const float *from, float *to, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n)
    return;
  int i = y * n + x;
  bool inside = x > 0 && x < n - 1 && y > 0 && y < n - 1;
  to[i] = inside ? 0.25f * (from[i - 1] + from[i + 1] + from[i - n] + from[i + n]) : from[i];
}
