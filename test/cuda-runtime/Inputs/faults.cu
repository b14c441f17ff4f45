// Kernels that do what they must not: argv[1] says what. Prints the statuses of later calls and returns 0, as a program that does
// not look at them.
#include <cassert>
#include <cstdio>
#include <cstring>

__global__ void store(int *p, int i) { p[i] = 1; }
__global__ void load(const int *p, int *out, int i) { *out = p[i]; }
__global__ void storeAt(char *p) { *(int *)(p + 2) = 1; }
__global__ void check(int i) { assert(i == 0); }
__global__ void trap() { __trap(); }
__global__ void halfBarrier(int *p) {
  if (threadIdx.x < 16) {
    *p = 1;
    __syncthreads();
  }
}

static void tell(const char *what, cudaError_t status) { printf("%s: %s\n", what, cudaGetErrorName(status)); }

int main(int argc, char **argv) {
  int *page, *small;
  cudaMalloc(&page, 1024);
  cudaMalloc(&small, 100);
  bool known = true;
  auto is = [&](const char *name) { return std::strcmp(argv[1], name) == 0; };
  if (is("far"))
    store<<<1, 1>>>(page, 1 << 30);
  else if (is("before"))
    store<<<2, 1>>>(small, -1);
  else if (is("next-load"))
    load<<<1, 32>>>(page, small, 256);
  else if (is("next-load-small"))
    load<<<1, 1>>>(small, page, 25);
  else if (is("next-store-small"))
    store<<<1, 1>>>(small, 25);
  else if (is("null"))
    store<<<1, 1>>>(nullptr, 0);
  else if (is("freed")) {
    cudaFree(page);
    store<<<1, 1>>>(page, 0);
  } else if (is("misaligned"))
    storeAt<<<1, 1>>>((char *)page);
  else if (is("assert"))
    check<<<1, 1>>>(1);
  else if (is("trap"))
    trap<<<1, 1>>>();
  else if (is("barrier"))
    halfBarrier<<<1, 32>>>(page);
  else
    known = false;
  tell("synchronize", cudaDeviceSynchronize());
  tell("last error", cudaGetLastError());
  tell("last error again", cudaGetLastError());
  tell("malloc", cudaMalloc(&small, 4));
  return known ? 0 : 3;
}
