extern "C" __global__ void f(const float *x, float *y, int n) {
  __shared__ float s[256 + 2];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t + 1] = i < n ? x[i] : 0;
  if (t == 0)
    s[0] = i > 0 ? x[i - 1] : 0;
  if (t == 255)
    s[257] = i + 1 < n ? x[i + 1] : 0;
  __syncthreads();
  if (i < n)
    y[i] = s[t] + 2 * s[t + 1] + s[t + 2];
}
