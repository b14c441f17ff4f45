extern "C" __global__ void f(const float *x, float *y, int n) {
  __shared__ float s[1024];
  int first = blockIdx.x * blockDim.x, i = first + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : 0;
  __syncwarp();
  int other = blockDim.x - 1 - threadIdx.x;
  if (first + other < n)
    y[first + other] = 2 * s[other];
}
