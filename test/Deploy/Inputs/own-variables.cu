// Variables that only this file knows: what one of its kernels fills another reads.
#include <cuda_runtime.h>

static __device__ float filled[4];
static __device__ float filledByPointer[4];
static __device__ float table[4] = {1, 2, 3, 4};
static __constant__ float weights[2] = {1, 2};

__device__ void put(float *to, int i) { to[i] = i; }

__device__ float get(const float *from, int i) { return from[i]; }

__global__ void fill() {
  filled[threadIdx.x] = threadIdx.x;
  put(filledByPointer, threadIdx.x);
}

__global__ void use(float *out) {
  int i = threadIdx.x;
  out[i] = filled[i] + filledByPointer[i] + get(table, i) + weights[i & 1];
}
