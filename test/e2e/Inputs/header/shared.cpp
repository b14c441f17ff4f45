// Launches with dynamic shared memory of which there are two copies, over a driver that says what it is told.
#include "dynamic.h"
#include <cstdio>

extern "C" {
CUresult cuCtxGetCurrent(CUcontext *Context) {
  static int Any;
  *Context = reinterpret_cast<CUcontext>(&Any);
  return CUDA_SUCCESS;
}
CUresult cuCtxGetId(CUcontext, unsigned long long *Id) {
  *Id = 1;
  return CUDA_SUCCESS;
}
CUresult cuModuleLoadData(CUmodule *, const void *) { return CUDA_SUCCESS; }
CUresult cuModuleGetFunction(CUfunction *Kernel, CUmodule, const char *) {
  static int Any;
  *Kernel = reinterpret_cast<CUfunction>(&Any);
  return CUDA_SUCCESS;
}
CUresult cuFuncGetAttribute(int *Value, CUfunction_attribute, CUfunction) {
  *Value = 0;
  return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int) { return CUDA_SUCCESS; }
CUresult cuLaunchKernel(CUfunction, unsigned GridX, unsigned, unsigned, unsigned, unsigned, unsigned,
                        unsigned SharedBytes, CUstream, void **Arguments, void **) {
  std::printf("%u blocks with %u bytes, copies of %u; ", GridX, SharedBytes,
              *static_cast<unsigned *>(Arguments[3]));
  return CUDA_SUCCESS;
}
}

static void tell(const char *What, std::size_t SharedBytes) {
  std::printf("%s: ", What);
  std::printf("%d\n", gpuprune_tuned::dynamic::launch(4, 64, SharedBytes, nullptr, nullptr, nullptr, 256));
}

int main() {
  tell("256 bytes", 256);
  tell("257 bytes", 257);
  tell("none", 0);
  tell("below none", std::size_t(-4)); // Rounded up, it is nothing.
  tell("more than a copy can be", 0x40000000);
  tell("2^63", std::size_t(1) << 63); // Twice that is nothing.
}
