// The textbook kernel as a person would coarsen it by hand: RY x RX results a thread, the copies of the
// tiles interleaved so that one 128-bit access reads four of them. What gpu-block-coarsen is measured against.
template <int Tile, int RX, int RY, int Unroll>
__device__ __forceinline__ void multiply(const float *__restrict__ A, const float *__restrict__ B,
                                         float *__restrict__ C, int n) {
  __shared__ __align__(16) float As[Tile][Tile][RY];
  __shared__ __align__(16) float Bs[Tile][Tile][RX];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * Tile * RY + ty, col = blockIdx.x * Tile * RX + tx;
  float Sum[RY][RX] = {};
  for (int k0 = 0; k0 < n; k0 += Tile) {
#pragma unroll
    for (int i = 0; i < RY; ++i)
      As[ty][tx][i] = A[(row + i * Tile) * n + k0 + tx];
#pragma unroll
    for (int j = 0; j < RX; ++j)
      Bs[ty][tx][j] = B[(k0 + ty) * n + col + j * Tile];
    __syncthreads();
#pragma unroll Unroll
    for (int k = 0; k < Tile; ++k)
#pragma unroll
      for (int i = 0; i < RY; ++i)
#pragma unroll
        for (int j = 0; j < RX; ++j)
          Sum[i][j] += As[ty][k][i] * Bs[k][tx][j];
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < RY; ++i)
#pragma unroll
    for (int j = 0; j < RX; ++j)
      C[(row + i * Tile) * n + col + j * Tile] = Sum[i][j];
}

// hand_<tile>_<results in x>_<results in y>_<unroll factor>
#define VARIANT(TILE, RX, RY, UNROLL)                                                                          \
  extern "C" __global__ void hand_##TILE##_##RX##_##RY##_##UNROLL(                                             \
      const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int n) {                \
    multiply<TILE, RX, RY, UNROLL>(A, B, C, n);                                                                \
  }
#define UNROLLED(TILE, RX, RY) VARIANT(TILE, RX, RY, 1) VARIANT(TILE, RX, RY, 4) VARIANT(TILE, RX, RY, TILE)
UNROLLED(16, 4, 4)
UNROLLED(16, 4, 8)
UNROLLED(16, 8, 4)
UNROLLED(16, 8, 8)
UNROLLED(8, 8, 8)
