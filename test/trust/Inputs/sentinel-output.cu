extern "C" __global__ void f(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int best = 0;
  for (int j = 1; j < 64; ++j)
    if (x[i * 64 + j] > x[i * 64 + best])
      best = j;
  float sum = 0;
  for (int j = 0; j < (WAY == 2 ? 32 : 64); ++j)
    sum += x[i * 64 + (WAY == 1 ? 63 - j : j)];
  y[i] = i % 100 == 7 ? 1e30f : sum + best;
}
