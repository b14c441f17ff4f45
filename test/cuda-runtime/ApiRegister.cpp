//===- ApiRegister.cpp - What clang's host code calls by itself ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CpuRuntime.h"

using namespace gpuprune;

namespace {

struct LaunchConfiguration {
  dim3 Grid, Block;
  size_t SharedBytes;
  cudaStream_t Stream;
};

std::vector<LaunchConfiguration> &pushedConfigurations() {
  static thread_local std::vector<LaunchConfiguration> Pushed;
  return Pushed;
}

RegisteredCode *codeOf(void **Handle) { return reinterpret_cast<RegisteredCode *>(Handle); }

} // namespace

// Their names and parameters are those that clang calls (clang/lib/CodeGen/CGCUDANV.cpp).
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

void **__cudaRegisterFatBinary(void *Wrapper) {
  CpuRuntime &Runtime = CpuRuntime::get();
  std::lock_guard<std::recursive_mutex> Guard(Runtime.Lock);
  return reinterpret_cast<void **>(Runtime.registerCode(Wrapper));
}

void __cudaRegisterFatBinaryEnd(void **Handle) {}

void __cudaUnregisterFatBinary(void **Handle) {
  CpuRuntime &Runtime = CpuRuntime::get();
  std::lock_guard<std::recursive_mutex> Guard(Runtime.Lock);
  Runtime.unregisterCode(codeOf(Handle));
}

void __cudaRegisterFunction(void **Handle, const char *HostFunction, char *DeviceFunction,
                            const char *DeviceName, int ThreadLimit, void *ThreadId, void *BlockId,
                            void *BlockDim, void *GridDim, int *WarpSize) {
  CpuRuntime &Runtime = CpuRuntime::get();
  std::lock_guard<std::recursive_mutex> Guard(Runtime.Lock);
  Runtime.registerFunction(HostFunction, {codeOf(Handle), DeviceName});
}

void __cudaRegisterVar(void **Handle, char *HostVariable, char *DeviceAddress, const char *DeviceName,
                       int External, size_t Size, int Constant, int Global) {
  CpuRuntime &Runtime = CpuRuntime::get();
  std::lock_guard<std::recursive_mutex> Guard(Runtime.Lock);
  Runtime.registerVariable(HostVariable, {codeOf(Handle), DeviceName});
}

void __cudaRegisterManagedVar(void **Handle, void **HostVariable, char *DeviceAddress, const char *DeviceName,
                              int External, size_t Size, int Constant, int Global) {
  CpuRuntime::get().fail(llvm::Twine("variable '") + DeviceName +
                         "': __managed__ variables are not supported");
}

void __cudaRegisterTexture(void **Handle, const void *HostVariable, const void **DeviceAddress,
                           const char *DeviceName, int Dimensions, int Normalized, int External) {
  CpuRuntime::get().fail(llvm::Twine("texture '") + DeviceName + "': textures are not supported");
}

void __cudaRegisterSurface(void **Handle, const void *HostVariable, const void **DeviceAddress,
                           const char *DeviceName, int Dimensions, int External) {
  CpuRuntime::get().fail(llvm::Twine("surface '") + DeviceName + "': surfaces are not supported");
}

unsigned __cudaPushCallConfiguration(dim3 Grid, dim3 Block, size_t SharedBytes, cudaStream_t Stream) {
  pushedConfigurations().push_back({Grid, Block, SharedBytes, Stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *Grid, dim3 *Block, size_t *SharedBytes, void *Stream) {
  if (pushedConfigurations().empty())
    return cudaErrorMissingConfiguration;
  LaunchConfiguration Pushed = pushedConfigurations().back();
  pushedConfigurations().pop_back();
  *Grid = Pushed.Grid;
  *Block = Pushed.Block;
  *SharedBytes = Pushed.SharedBytes;
  *static_cast<cudaStream_t *>(Stream) = Pushed.Stream;
  return cudaSuccess;
}

} // extern "C"
// NOLINTEND(readability-identifier-naming)
