// Runs a kernel on every device and tells what it was.
#include <cstdio>

__global__ void tell(int *p) {
#ifdef __CUDA_ARCH__
  *p = __CUDA_ARCH__;
#endif
}

int doubled(int x); // Of devices-host.cpp.

int main() {
  int count = 0;
  cudaGetDeviceCount(&count);
  for (int d = 0; d < count; ++d) {
    cudaSetDevice(d);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, d);
    int *p, value = 0, processors = 0, grid = 0, block = 0;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, d);
    cudaMalloc(&p, sizeof(int));
    tell<<<1, 1>>>(p);
    cudaError_t status = cudaGetLastError();
    cudaMemcpy(&value, p, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFuncAttributes attributes = {};
    cudaFuncGetAttributes(&attributes, tell);
    if (cudaOccupancyMaxPotentialBlockSize(&grid, &block, tell))
      grid = -1;
    printf("%s %d.%d processors %d: %s, ran %d, binary %d, occupancy %d x %d\n", properties.name, properties.major,
           properties.minor, doubled(processors), cudaGetErrorName(status), status ? 0 : value,
           attributes.binaryVersion, grid, block);
  }
}
