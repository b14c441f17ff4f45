extern "C" __global__ void f(const float *x, float *y, int cols) {
  extern __shared__ float s[];
  const float *row = x + blockIdx.x * cols;
  float most = row[0];
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    most = fmaxf(most, row[c]);
  s[threadIdx.x] = most;
  __syncthreads();
  for (int i = 0; i < blockDim.x; ++i)
    most = fmaxf(most, s[i]);
  __syncthreads();
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    sum += expf(row[c] - most);
  s[threadIdx.x] = sum;
  __syncthreads();
  sum = 0;
  for (int i = 0; i < blockDim.x; ++i)
    sum += s[i];
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    y[blockIdx.x * cols + c] = expf(row[c] - most) / sum;
}
