// out = 2 * in, as the fake CUDA driver does it; the factor comes from a flag.
__global__ void scale(const float *in, float *out, int n) {
  int i = blockIdx.x * WIDTH + threadIdx.x;
  out[i] = FACTOR * in[i];
}
