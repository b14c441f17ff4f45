extern "C" __global__ void other(float *x, int n) {
  for (int i = threadIdx.x; i < n; i += 32)
    x[i] += 1;
}

extern "C" __global__ void hash(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = logf(x[i]);
  for (int k = 0; k < n; ++k)
    sum = sum * 0.5f + expf(x[k]) + sinf(sum);
  x[i] = powf(sum, 1.5f);
}
