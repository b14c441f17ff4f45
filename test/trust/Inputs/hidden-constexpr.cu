namespace shape {
constexpr int WarpSize = 32, Warps = 8;
constexpr int threads() { return WarpSize * Warps; }
}
extern "C" __global__ void f(const float *x, float *y, int n) {
  int i = blockIdx.x * shape::threads() + threadIdx.x;
  if (i < n)
    y[i] = 2 * x[i];
}
