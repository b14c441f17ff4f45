extern "C" __global__ void f(const float *x, float *y, int n) {
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = first; i < n; i += gridDim.x * blockDim.x)
    sum += x[i];
  if (first < 2048)
    y[first] = sum;
}
