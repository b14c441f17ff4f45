__constant__ int Stride[2] = {256, 1};

extern "C" __global__ void f(const float *x, float *y, int n) {
  int i = blockIdx.x * Stride[0] + threadIdx.x * Stride[1];
  if (i < n)
    y[i] = 2 * x[i];
}
