#include "factor.h"

__constant__ float table[16];

__global__ void scale(const float *a, float *b, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    b[i] = FACTOR * a[i] + table[i & 15];
}
