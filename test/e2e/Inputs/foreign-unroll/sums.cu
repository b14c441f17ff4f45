// LLVM unrolls neither loop as their author asks: how often they run is not known, and a barrier must not be
// reached under more conditions than in the source.
extern "C" __global__ void sums(const float *in, float *out, int n) {
  __shared__ float tile[64];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < n; i += 64) {
    tile[threadIdx.x] = in[i + threadIdx.x];
    __syncthreads();
    sum += tile[63 - threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

extern "C" __global__ void scale(const float *in, float *out, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n)
    out[i] = 2 * in[i];
}
