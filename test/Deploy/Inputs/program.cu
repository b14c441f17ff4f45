// A program that knows nothing of tuning.
#include <cstdio>

__global__ void average(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 0.5f * (in[i] + in[i + 1 < n ? i + 1 : i]);
}

__global__ void once(int *a) { a[0] = 1; }

int main() {
  int n = 65537;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  for (int step = 0; step != 2; ++step)
    average<<<(n + 255) / 256, 256>>>(a, b, n);
  once<<<1, 1>>>(reinterpret_cast<int *>(a));
  printf("%d\n", int(cudaGetLastError()));
}
