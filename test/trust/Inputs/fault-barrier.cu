extern "C" __global__ void f(const float *x, float *y, int n) {
  __shared__ float s[256];
  if (threadIdx.x >= 256)
    return;
  int first = blockIdx.x * 256, i = first + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n)
    y[i] = s[threadIdx.x ^ 1];
}
