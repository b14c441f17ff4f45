// Each value of a signal, filtered; all threads read the same taps.
__global__ void filter(const float *__restrict__ in, const float *__restrict__ taps, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < 128; ++t)
    sum += taps[t] * in[i + t];
  out[i] = sum;
}
