// Compiled twice, with VALUE 1 (has main) and 2: a kernel and variables of the same name in both.
#include <cstdio>

static __device__ int offset = VALUE * 100;

static __global__ void kernel(int *p) { *p = VALUE + offset; }

#if VALUE == 1
#define FUNCTION first
int second();
#else
#define FUNCTION second
#endif

int FUNCTION() {
  int *p, value = 0;
  cudaMalloc(&p, 4);
  kernel<<<1, 1>>>(p);
  cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost);
  return value;
}

#if VALUE == 1
int main() {
  int a = first(), b = second();
  printf("%d %d\n", a, b);
}
#endif
