// Launches of a kernel that is right in any grid, over a driver that has as many multiprocessors as it is
// told and says what it gets.
#include "grid.h"
#include <cstdio>

static int Multiprocessors;

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
CUresult cuCtxGetDevice(CUdevice *Device) {
  *Device = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int *Value, CUdevice_attribute, CUdevice) {
  *Value = Multiprocessors;
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
CUresult cuLaunchKernel(CUfunction, unsigned GridX, unsigned GridY, unsigned, unsigned BlockX, unsigned,
                        unsigned, unsigned, CUstream, void **Arguments, void **) {
  std::printf("%u x %u blocks of %u for %u; ", GridX, GridY, BlockX, *static_cast<unsigned *>(Arguments[3]));
  return CUDA_SUCCESS;
}
}

static void tell(gpuprune_tuned::histogram::Extent Grid, int Of) {
  Multiprocessors = Of;
  std::printf("%u on %d: ", Grid.x, Of);
  std::printf("%d\n", gpuprune_tuned::histogram::launch(Grid, 256, 0, nullptr, nullptr, nullptr, 9));
}

int main() {
  tell(64, 132);
  tell({2, 3}, 5);
  tell(65535, 7);
  tell(64, 5461);
  tell(64, 5462);
  tell(1, 132);
  tell(65536, 132);
}
