#include "shared-kernel.h"
#include <cstdio>
static __global__ void own(float *a) { a[threadIdx.x + blockIdx.x * blockDim.x] = 2; }
struct Owner {
  ~Owner() { puts("destroyed"); }
};
void second(float *a) {
  Owner owner; // Were there an exception, it would have to be destroyed: launches are invokes.
  scale<float><<<256, 256>>>(a, 3.0f, 65536);
  own<<<256, 256>>>(a);
  cudaLaunchConfig_t config = {256, 256, 0, nullptr, nullptr, 0};
  cudaLaunchKernelEx(&config, scale<float>, a, 3.0f, 65536);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeIgnore;
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, scale<float>, a, 3.0f, 65536);
  puts("shared");
  cudaFuncSetAttribute(scale<float>, cudaFuncAttributePreferredSharedMemoryCarveout, 50);
  scale<float><<<256, 256, 2048>>>(a, 3.0f, 65536);
  auto *pointer = &scale<float>;
  void *arguments[] = {&a, nullptr, nullptr};
  volatile auto hidden = pointer;
  puts("pointer");
  cudaLaunchKernel(reinterpret_cast<const void *>(hidden), 256, 256, arguments, 0, nullptr);
}
