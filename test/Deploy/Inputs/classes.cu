// Two kernels with a grid of the size that the command line says first. The second kernel does as much as it
// says then.
#include <cstdio>
#include <cstdlib>

__global__ void average(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 0.5f * (in[i] + in[i + 1 < n ? i + 1 : i]);
}

/// Asks how many blocks there are.
__global__ void strided(const float *in, float *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = 0.5f * in[i];
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  average<<<(n + 255) / 256, 256>>>(a, b, n);
  strided<<<(n + 255) / 256, 256>>>(a, b, argc > 2 ? atoi(argv[2]) : n);
  printf("%d\n", int(cudaGetLastError()));
}
