// A result reads a row of A and a column of B: results of a row share the one, those of a column the other.
extern "C" __global__ void product(const float *A, const float *B, float *C, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += A[y * n + k] * B[k * n + x];
  C[y * n + x] = sum;
}

// Each value is read for one result.
extern "C" __global__ void layers(const float *A, const float *B, float *C, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = B[0];
  for (int k = 0; k < n; ++k)
    sum += A[(k * n + y) % n * n + x];
  C[y * n + x] = sum;
}

// The factor is one for all, and the digits are the thread's own.
extern "C" __global__ void digits(const float *A, const float *B, float *C, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  volatile int own[8];
  for (int k = 0; k < 8; ++k)
    own[k] = (x + y) >> k & 1;
  float sum = 0;
  for (int k = 0; k < 8; ++k)
    sum += own[k] * B[0];
  C[y * n + x] = sum + A[y * n + x];
}
