// out = 2 * in with a division that the GPU approximates; the fake CUDA driver computes 2 * in.
__global__ void approximate(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __fdividef(in[i], 0.5f);
}
