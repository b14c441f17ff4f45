// out = 2 * in, as the fake CUDA driver has it.
#ifdef COUNTED
static __device__ int launches;
#endif
__global__ void twice(const float *in, float *out, int n) {
  extern __shared__ float own[];
#ifdef COUNTED
  atomicAdd(&launches, 1);
#endif
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    own[threadIdx.x] = in[i];
    out[i] = 2 * own[threadIdx.x];
  }
}
