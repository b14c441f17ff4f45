// REQUIRES: ptxas, gpu
// On a GPU: approximations with and without .ftz agree on each number for which gpu-math takes one for the other, and differ on others.
// RUN: %clang --offload-arch=%gpu_arch -O3 %s -lcudart -o %t
// RUN: %t | FileCheck %s
#include <cstdio>

// Counts the numbers that are compared, and those of them for which both differ.
#define COMPARE(NAME, OPERATION, IS_COMPARED)                                                                  \
  __global__ void NAME(unsigned long long *counts) {                                                           \
    unsigned long long compared = 0, different = 0, step = gridDim.x * blockDim.x;                             \
    for (unsigned long long bits = blockIdx.x * blockDim.x + threadIdx.x; bits >> 32 == 0; bits += step) {      \
      float x = __uint_as_float(bits), plain, flushed;                                                         \
      asm(OPERATION ".approx.f32 %0, %1;" : "=f"(plain) : "f"(x));                                             \
      asm(OPERATION ".approx.ftz.f32 %0, %1;" : "=f"(flushed) : "f"(x));                                       \
      if (IS_COMPARED) {                                                                                       \
        ++compared;                                                                                            \
        different += __float_as_uint(plain) != __float_as_uint(flushed);                                       \
      }                                                                                                        \
    }                                                                                                          \
    atomicAdd(counts, compared);                                                                               \
    atomicAdd(counts + 1, different);                                                                          \
  }
#define IS_NORMAL (x == 0 || !(fabsf(x) < 1.17549435e-38f))
COMPARE(rsqrtNormal, "rsqrt", IS_NORMAL)
COMPARE(sqrtNormal, "sqrt", IS_NORMAL)
COMPARE(lg2Normal, "lg2", IS_NORMAL)
COMPARE(ex2From125, "ex2", !(x < -125))
COMPARE(rsqrtAll, "rsqrt", true)

static int run(const char *name, void (*kernel)(unsigned long long *)) {
  unsigned long long *device, counts[2] = {};
  cudaMalloc(&device, sizeof(counts));
  cudaMemset(device, 0, sizeof(counts));
  kernel<<<1024, 256>>>(device);
  cudaMemcpy(counts, device, sizeof(counts), cudaMemcpyDeviceToHost);
  printf("%s: %llu compared, %llu different\n", name, counts[0], counts[1]);
  return cudaGetLastError();
}

// CHECK: rsqrt: 4278190082 compared, 0 different
// CHECK: sqrt: 4278190082 compared, 0 different
// CHECK: lg2: 4278190082 compared, 0 different
// CHECK: ex2: 3279552512 compared, 0 different
// CHECK: rsqrt of all: 4294967296 compared, 16777214 different
int main() {
  return run("rsqrt", rsqrtNormal) || run("sqrt", sqrtNormal) || run("lg2", lg2Normal) || run("ex2", ex2From125) ||
         run("rsqrt of all", rsqrtAll);
}
