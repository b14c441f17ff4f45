// The textbook matrix product with both tiles in dynamic shared memory.
extern __shared__ float tiles[];

extern "C" __global__ void product(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int n) {
  int t = blockDim.x, x = threadIdx.x, y = threadIdx.y;
  float *As = tiles, *Bs = tiles + t * t;
  int row = blockIdx.y * t + y, column = blockIdx.x * t + x;
  float sum = 0;
  for (int k = 0; k < n / t; ++k) {
    As[y * t + x] = A[row * n + k * t + x];
    Bs[y * t + x] = B[(k * t + y) * n + column];
    __syncthreads();
    for (int i = 0; i < t; ++i)
      sum += As[y * t + i] * Bs[i * t + x];
    __syncthreads();
  }
  C[row * n + column] = sum;
}
