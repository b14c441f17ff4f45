extern "C" __global__ void f(const int *x, int *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * 256)
    atomicAdd(&y[x[i]], 1);
}
