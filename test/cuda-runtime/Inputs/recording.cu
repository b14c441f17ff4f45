// Launches to be recorded: with variables of the device, with host memory, of two shapes.
#include <cstdio>

__constant__ float factors[2];
__device__ float offset;

__global__ void scale(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = factors[i % 2] * a[i] + offset;
}

__global__ void touch(int *a) { a[threadIdx.x] = 1; }

int main() {
  const int n = 1000;
  float host[n], *a;
  int *shared;
  const float values[] = {2, 3}, one = 1;
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaMalloc(&a, sizeof(host));
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(factors, values, sizeof(values));
  cudaMemcpyToSymbol(offset, &one, sizeof(one));
  for (int round = 0; round < 3; ++round)
    scale<<<8, 128>>>(a, n);
  scale<<<2, 128>>>(a, 256);
  cudaHostAlloc(&shared, 128, cudaHostAllocMapped);
  touch<<<1, 32>>>(shared);
  cudaMemcpy(host, a, sizeof(host), cudaMemcpyDeviceToHost);
  std::printf("%g %g %d\n", host[254], host[999], shared[31]);
}
