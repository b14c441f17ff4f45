// A matrix product through shared memory; SCALE and TYPE are the command line's.
#ifndef TILE
#error "the workload defines TILE"
#endif
__global__ void tiled(const TYPE *A, const TYPE *B, TYPE *C, int n) {
  __shared__ TYPE As[TILE][TILE], Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
  TYPE sum = 0;
  for (int k0 = 0; k0 < n; k0 += TILE) {
    As[ty][tx] = A[row * n + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[row * n + column] = SCALE * sum;
}
