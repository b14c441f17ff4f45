__noinline__ __device__ float sub(float a, float b) { return a - b; }
extern "C" __global__ void f(const float *x, const float *w, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = sub(sub(x[i] * 1.1e-7f, w[i] * 0.7e-7f), x[i] * 0.4e-7f) * (threadIdx.x < 256 ? 1 : 2);
}
