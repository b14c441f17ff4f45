// With WITH=0 there is no kernel to compile.
#if WITH
__global__ void some(const float *in, float *out, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  out[i] = 2 * in[i];
}
#endif
