extern "C" __global__ void f(const float *x, const float *v, float *y, int cols) {
  extern __shared__ float s[];
  float *e = s + blockDim.x;
  int *at = (int *)(e + blockDim.x);
  const float *row = x + blockIdx.x * cols;
  float best = -1e30f, sum = 0;
  int where = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    if (row[c] > best) { best = row[c]; where = c; }
    sum += expf(row[c]);
  }
  s[threadIdx.x] = best;
  at[threadIdx.x] = where;
  e[threadIdx.x] = sum;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (threadIdx.x < k) {
      if (s[threadIdx.x + k] > s[threadIdx.x]) {
        s[threadIdx.x] = s[threadIdx.x + k];
        at[threadIdx.x] = at[threadIdx.x + k];
      }
      e[threadIdx.x] += e[threadIdx.x + k];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0)
    y[blockIdx.x] = v[at[0]] * expf(s[0]) / e[0];
}
