#include <cstdio>
__global__ void __launch_bounds__(64) k(float *a) {
  for (int j = 0; j < 16; ++j)
    a[threadIdx.x] += a[32 + j];
}
const char *nameOfHost();
int main(int argc, char **argv) {
  int version = 0;
  cudaRuntimeGetVersion(&version);
  std::printf("%s %d\n", nameOfHost(), version);
  // Never here: for this a GPU would be needed.
  if (argc == 99)
    k<<<1, 32>>>(nullptr);
}
