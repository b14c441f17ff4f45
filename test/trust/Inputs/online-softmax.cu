extern "C" __global__ void f(const float *x, float *y, int cols) {
  extern __shared__ float s[];
  const float *row = x + blockIdx.x * cols;
  __shared__ float mosts[32], sums[32];
  float most = -1e30f, sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    float next = fmaxf(most, row[c]);
    sum = sum * expf(most - next) + expf(row[c] - next);
    most = next;
  }
  for (int lane = 16; lane > 0; lane /= 2) {
    float other = __shfl_xor_sync(0xffffffff, most, lane), part = __shfl_xor_sync(0xffffffff, sum, lane);
    float next = fmaxf(most, other);
    sum = sum * expf(most - next) + part * expf(other - next);
    most = next;
  }
  if (threadIdx.x % 32 == 0) {
    mosts[threadIdx.x / 32] = most;
    sums[threadIdx.x / 32] = sum;
  }
  __syncthreads();
  for (int i = 0; i < blockDim.x / 32; ++i)
    most = fmaxf(most, mosts[i]);
  sum = 0;
  for (int i = 0; i < blockDim.x / 32; ++i)
    sum += sums[i] * expf(mosts[i] - most);
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    y[blockIdx.x * cols + c] = expf(row[c] - most) / sum;
}
