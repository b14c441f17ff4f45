// Kernels of which stock clang makes the same alone: they share inline functions and variables that the host sees. Those that
// share an internal function are not such.
__constant__ float weights[8];
__device__ unsigned total;

template <typename T> __device__ T weighted(const T *p, int i) {
  T Sum = 0;
  for (int k = 0; k < 8; ++k)
    Sum += weights[k] * p[i + k];
  return Sum;
}
static __device__ float ofOne(float x, int n) {
  for (int i = 0; i < n; ++i)
    x = sqrtf(x) + i;
  return x;
}
static __device__ float ofTwo(float x, int n) { return n > 3 ? x / n : ofOne(x, n); }

__global__ void apart(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double Sum = 0;
  for (int k = 0; k < n; ++k)
    Sum += p[i + k] * p[k];
  q[i] = Sum;
}
__global__ void adds(const float *p, float *q, int n) {
  atomicAdd(&total, 1);
  q[threadIdx.x] = ofTwo(p[threadIdx.x], n);
}
__global__ void alsoAdds(const float *p, float *q, int n) { q[0] = ofTwo(p[0], 2) + weighted(p, n); }
