template <int Threads> __device__ float blockSum(float value, float *s) {
  s[threadIdx.x] = value;
  __syncthreads();
  for (int k = Threads / 2; k > 0; k /= 2) {
    if (threadIdx.x < k)
      s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  return s[0];
}

extern "C" __global__ void f(const float *x, float *y, int cols) {
  extern __shared__ float s[];
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    sum += x[blockIdx.x * cols + c];
  sum = blockSum<256>(sum, s);
  if (threadIdx.x == 0)
    y[blockIdx.x] = sum;
}
