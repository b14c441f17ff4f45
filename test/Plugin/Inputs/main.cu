#include <cstdio>
__global__ void k(float *a) {
  for (int j = 0; j < 16; ++j)
    a[threadIdx.x] += a[32 + j];
}
int main(int argc, char **argv) {
  int version = 0;
  cudaRuntimeGetVersion(&version);
  std::printf("runtime %d\n", version);
  // Never here: for this a GPU would be needed.
  if (argc == 99)
    k<<<1, 32>>>(nullptr);
}
