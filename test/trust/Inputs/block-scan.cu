extern "C" __global__ void f(const float *x, float *y, int n) {
  __shared__ float s[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : 0;
  for (int k = 1; k < blockDim.x; k *= 2) {
    __syncthreads();
    float before = threadIdx.x >= k ? s[threadIdx.x - k] : 0;
    __syncthreads();
    s[threadIdx.x] += before;
  }
  if (i < n)
    y[i] = s[threadIdx.x];
}
