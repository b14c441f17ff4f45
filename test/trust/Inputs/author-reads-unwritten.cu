extern "C" __global__ void f(const float *x, float *y, int n) {
  __shared__ float s[257];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : -1;
  __syncthreads();
  if (i < n)
    y[i] = fmaxf(s[threadIdx.x], s[threadIdx.x + 1]);
}
