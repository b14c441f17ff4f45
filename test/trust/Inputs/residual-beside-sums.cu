extern "C" __global__ void f(const float *x, float *y, int cols) {
  __shared__ double s[1024], q[1024];
  const float *row = x + blockIdx.x * cols;
  double sum = 0, sq = 0;
  for (int c = threadIdx.x; c < cols - (blockDim.x > 256); c += blockDim.x) {
    sum += row[c];
    sq += row[c] * row[c];
  }
  s[threadIdx.x] = sum; q[threadIdx.x] = sq;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (threadIdx.x < k) {
      s[threadIdx.x] += s[threadIdx.x + k];
      q[threadIdx.x] += q[threadIdx.x + k];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    y[2 * blockIdx.x] = q[0];
    y[2 * blockIdx.x + 1] = s[0] / cols - 0.3 * (s[0] / (0.3 * cols));
  }
}
