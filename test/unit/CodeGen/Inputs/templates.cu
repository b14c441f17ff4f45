// Templates, device functions with restrict parameters, double precision, local arrays, two kernels.
template <typename T> __device__ void axpy(T a, const T *__restrict__ x, T *__restrict__ y, int i) {
  y[i] = a * x[i] + y[i];
}
template <typename T, int Count> __global__ void axpyMany(T a, const T *x, T *y) {
  for (int i = 0; i < Count; ++i)
    axpy(a, x, y, (blockIdx.x * Count + i) * blockDim.x + threadIdx.x);
}
template __global__ void axpyMany<double, 4>(double, const double *, double *);
extern "C" __global__ void histogram(const unsigned *In, unsigned *Out, int n) {
  unsigned Local[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    ++Local[In[i] & 7];
  for (int b = 0; b < 8; ++b)
    atomicAdd(&Out[b], Local[b]);
}
