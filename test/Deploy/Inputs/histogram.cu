// A histogram that its author launches in any number of blocks; whole programs are built with a record of gpu-grid.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

__global__ void histogram(const unsigned char *__restrict__ data, unsigned *__restrict__ counts, int n) {
  __shared__ unsigned bins[64];
  for (int bin = threadIdx.x; bin < 64; bin += blockDim.x)
    bins[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[data[i] % 64], 1u);
  __syncthreads();
  for (int bin = threadIdx.x; bin < 64; bin += blockDim.x)
    atomicAdd(&counts[bin], bins[bin]);
}

static bool check(dim3 grid, int n) {
  std::vector<unsigned char> data(n);
  std::vector<unsigned> counts(64), found(64);
  for (unsigned bin = 0; bin != 64; ++bin)
    counts[bin] = found[bin] = bin * 5;
  for (int i = 0; i != n; ++i) {
    data[i] = (unsigned char)(i * 7 + i / 311);
    counts[data[i] % 64] += grid.y; // Each row of blocks makes all of them.
  }
  unsigned char *a;
  unsigned *b;
  cudaMalloc(&a, n);
  cudaMalloc(&b, 64 * sizeof(unsigned));
  cudaMemcpy(a, data.data(), n, cudaMemcpyHostToDevice);
  cudaMemcpy(b, found.data(), 64 * sizeof(unsigned), cudaMemcpyHostToDevice);
  histogram<<<grid, 32>>>(a, b, n);
  cudaMemcpy(found.data(), b, 64 * sizeof(unsigned), cudaMemcpyDeviceToHost);
  bool right = cudaGetLastError() == cudaSuccess && found == counts;
  std::printf("%u x %u blocks, %d: %s\n", grid.x, grid.y, n, right ? "right" : "FAILED");
  cudaFree(a);
  cudaFree(b);
  return right;
}

int main() {
  bool right = true;
  for (dim3 grid : {dim3(64), dim3(2), dim3(7), dim3(1000), dim3(3, 2), dim3(1), dim3(1, 64)})
    right &= check(grid, 40009);
  right &= check(65535, 1003);
  right &= check(65536, 1003);
  right &= check(64, 1);
  return !right;
}
