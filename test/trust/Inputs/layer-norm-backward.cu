extern "C" __global__ void f(const float *x, const float *dy, float *dx, float *dw, int cols) {
  extern __shared__ float s[];
  const float *row = x + blockIdx.x * cols, *grad = dy + blockIdx.x * cols;
  float sum = 0, dot = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    sum += grad[c];
    dot += grad[c] * row[c];
  }
  s[threadIdx.x] = sum;
  s[blockDim.x + threadIdx.x] = dot;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (threadIdx.x < k) {
      s[threadIdx.x] += s[threadIdx.x + k];
      s[blockDim.x + threadIdx.x] += s[blockDim.x + threadIdx.x + k];
    }
    __syncthreads();
  }
  sum = s[0] / cols;
  dot = s[blockDim.x] / cols;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    dx[blockIdx.x * cols + c] = grad[c] - sum - row[c] * dot;
    atomicAdd(&dw[c], grad[c] * row[c]);
  }
}
