extern "C" __global__ void f(const float *x, float *y, int cols) {
  const float *row = x + (blockIdx.x * blockDim.x + threadIdx.x) * cols;
  float sum = 0;
  for (int c = 0; c + UNROLL <= cols; c += UNROLL)
    for (int k = 0; k < UNROLL; ++k)
      sum += row[c + k];
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
