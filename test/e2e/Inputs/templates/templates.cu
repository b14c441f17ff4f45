// Kernels that only their template arguments or namespaces tell apart.
template <int N> __global__ void ax(float *p) { p[blockIdx.x * 32 + threadIdx.x] *= N; }
template __global__ void ax<2>(float *);
template __global__ void ax<3>(float *);
namespace my {
__global__ void kernel(float *p) { p[blockIdx.x * 32 + threadIdx.x] += 1; }
template <class T, int N> __global__ void k(T *p) { p[blockIdx.x * 32 + threadIdx.x] -= N; }
template __global__ void k<float, 4>(float *);
template __global__ void k<float, 8>(float *);
} // namespace my
__global__ void kernel(float *p) { p[blockIdx.x * 32 + threadIdx.x] = 1; }
