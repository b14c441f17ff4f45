extern "C" __global__ void f(const float *x, float *y, int cols) {
  extern __shared__ float s[];
  const float *row = x + blockIdx.x * cols;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    sum += row[c];
  s[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0;
    for (int i = 0; i < min(256, blockDim.x); ++i)
      total += s[i];
    y[blockIdx.x] = total;
  }
}
