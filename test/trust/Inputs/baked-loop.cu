extern "C" __global__ void f(const float *x, float *y, int cols) {
  extern __shared__ float s[];
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    sum += x[blockIdx.x * cols + c];
  s[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0;
    for (int i = 0; i < 256; ++i)
      total += s[i];
    y[blockIdx.x] = total;
  }
}
