__device__ __noinline__ float plus(float a, float b) { return a + b; }

extern "C" __global__ void f(const float *x, float *y, int cols) {
  extern __shared__ float s[];
  const float *row = x + blockIdx.x * cols;
  s[threadIdx.x] = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    s[threadIdx.x] = plus(s[threadIdx.x], row[c]);
  __syncthreads();
  float total = 0;
  for (int i = 0; i < blockDim.x; ++i)
    total = plus(total, s[i]);
  if (threadIdx.x == 0)
    y[blockIdx.x] = total;
}
