// Launches rows.h of test/e2e/emit-block.test on a driver that prints what it is to launch.
#include "rows.h"

#include <cstdio>

static char Launched[128]; // What was launched last; empty: nothing.

CUresult cuCtxGetCurrent(CUcontext *Context) {
  *Context = reinterpret_cast<CUcontext>(Launched);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext, unsigned long long *Id) {
  *Id = 1;
  return CUDA_SUCCESS;
}

CUresult cuModuleLoadData(CUmodule *, const void *) { return CUDA_SUCCESS; }

CUresult cuModuleGetFunction(CUfunction *Function, CUmodule, const char *) {
  *Function = reinterpret_cast<CUfunction>(Launched);
  return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *, CUfunction_attribute, CUfunction) { return CUDA_ERROR_UNKNOWN; }
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int) { return CUDA_ERROR_UNKNOWN; }

CUresult cuLaunchKernel(CUfunction, unsigned GridX, unsigned GridY, unsigned GridZ, unsigned BlockX,
                        unsigned BlockY, unsigned BlockZ, unsigned, CUstream, void **Arguments, void **) {
  std::snprintf(Launched, sizeof(Launched), "grid (%u, %u, %u) block (%u, %u, %u) hidden %u", GridX, GridY,
                GridZ, BlockX, BlockY, BlockZ, *static_cast<unsigned *>(Arguments[4]));
  return CUDA_SUCCESS;
}

using gpuprune_tuned::rows::Extent;

static void launch(const char *What, const Extent &Grid, const Extent &Block) {
  float Memory = 0;
  *Launched = 0;
  CUresult Result = gpuprune_tuned::rows::launch(Grid, Block, 0, nullptr, &Memory, &Memory, 1, 1);
  std::printf("%s: %d, %s\n", What, int(Result), *Launched ? Launched : "nothing");
}

int main() {
  const Extent Authors(16, 16);
  launch("both divide", {40, 30}, Authors);
  launch("of an odd number", {2, 1, 3}, Authors);
  launch("the largest", {134217726, 1}, Authors);
  launch("the highest", {2, 16383}, Authors);
  launch("only the author's divides", {41, 30}, Authors);
  launch("the variant's own block", {20, 120}, {32, 4});
  launch("another z", {40, 30}, {16, 16, 2});
  launch("no blocks", {0, 30}, Authors);
  launch("2^31 threads", {134217728, 1}, Authors);
  launch("2^32 threads and some", {268435458, 1}, Authors);
  launch("too many blocks in y", {2, 16384}, Authors);
  launch("more than the author can launch", {2, 65536}, Authors);
  launch("more where the block stays", {2, 2, 65536}, Authors);
}
