// Built with and without -ffp-contract=off; sinf brings code of libdevice along.
__global__ void weighted(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * 0.3f + sinf(in[i]);
}
