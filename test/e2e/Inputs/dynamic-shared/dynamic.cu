// out = 2 * in by way of dynamic shared memory.
__global__ void dynamic(const float *in, float *out, int n) {
  extern __shared__ float stage[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  stage[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = 2 * stage[threadIdx.x];
}
