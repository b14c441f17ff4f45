#include "shared-kernel.h"
#include <cstdio>
// One of its own that has the same name in the other file.
static __global__ void own(float *a) { a[threadIdx.x + blockIdx.x * blockDim.x] = 1; }
void second(float *a);
int main() {
  float *a;
  cudaMalloc(&a, 1 << 20);
  puts("first");
  scale<float><<<256, 256>>>(a, 2.0f, 65536);
  own<<<256, 256>>>(a);
  puts("second");
  second(a);
}
