extern "C" __global__ void f(const unsigned *x, unsigned *y, int n) {
  __shared__ unsigned s[257];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n)
    y[i] = min(s[threadIdx.x], s[threadIdx.x + 1]);
}
