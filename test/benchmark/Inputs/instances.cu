// A tiled product with what real files have around a kernel: an internal helper and libdevice, shared with 200
// instances of another template where OTHERS is defined.
#define TILE 16

static __device__ float activate(float x) { return x / (1 + expf(-x)); }

__global__ void product(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int n) {
  __shared__ float As[TILE][TILE], Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += TILE) {
    As[ty][tx] = A[row * n + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[row * n + col] = activate(sum);
}

#ifdef OTHERS
template <int Radius> __global__ void blur(const float *In, float *Out, int n) {
  __shared__ float Tile[256 + 2 * Radius];
  int i = blockIdx.x * 256 + threadIdx.x;
  for (int t = threadIdx.x; t < 256 + 2 * Radius; t += 256)
    Tile[t] = In[min(max(blockIdx.x * 256 + t - Radius, 0u), unsigned(n - 1))];
  __syncthreads();
  float Sum = 0, Weights = 0;
  for (int d = -Radius; d <= Radius; ++d) {
    float w = expf(-d * d / (2.0f * Radius * Radius));
    Sum += w * Tile[threadIdx.x + Radius + d];
    Weights += w;
  }
  if (i < n)
    Out[i] = activate(Sum / Weights);
}
#define ONE(N) template __global__ void blur<N>(const float *, float *, int);
#define TEN(N) ONE(N##0) ONE(N##1) ONE(N##2) ONE(N##3) ONE(N##4) ONE(N##5) ONE(N##6) ONE(N##7) ONE(N##8) ONE(N##9)
TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8) TEN(9) TEN(10)
TEN(11) TEN(12) TEN(13) TEN(14) TEN(15) TEN(16) TEN(17) TEN(18) TEN(19) TEN(20)
#endif
