// The last of the values that a thread has kept; how many there are is known at the launch.
__global__ void last(const float *in, float *out, int kept) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float values[16];
  for (int k = 0; k < kept; ++k)
    values[k % 16] = in[i] * (k + 1);
  out[i] = values[(kept + i) % 16];
}
