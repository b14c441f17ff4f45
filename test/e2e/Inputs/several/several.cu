// Kernels that share a base name, and one that does not.
template <typename T> __global__ void fill(T *out, int n) {
  for (int i = blockIdx.x; i < n; i += gridDim.x)
    out[i] = T(i);
}
template __global__ void fill<float>(float *, int);
template __global__ void fill<int>(int *, int);
__global__ void zero(float *out) { out[blockIdx.x * 32 + threadIdx.x] = 0; }
