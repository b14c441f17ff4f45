// A kernel in a header, for several files of a program.
template <typename T> __global__ void scale(T *a, T factor, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    a[i] *= factor;
}
