//===- DeviceImage.h - Device code of one source, loaded on one device --===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_CUDA_RUNTIME_DEVICEIMAGE_H
#define GPUPRUNE_TEST_CUDA_RUNTIME_DEVICEIMAGE_H

#include "CpuImage.h"
#include "DeviceMemory.h"
#include "Settings.h"
#include "gpuprune/CodeGen/Cubin.h"
#include "gpuprune/HostExecution/HostProgram.h"
#include "llvm/IR/Module.h"

namespace gpuprune {

/// What is known of a kernel, and what the program has set.
struct ImageKernel {
  std::string Symbol;
  unsigned Registers = 0;               ///< Per thread.
  uint64_t LocalBytes = 0;              ///< Per thread, where a cubin tells.
  unsigned MaxThreads = 0;              ///< Of a block.
  uint64_t DynamicShared = 0;           ///< Most bytes of a launch; cudaFuncSetAttribute() raises it.
  std::unique_ptr<HostProgram> Program; ///< Made when it is first needed.
};

/// The variables and kernels of one bitcode on one device. Each kernel becomes a program of its
/// own when it is first launched, so that a kernel that cannot run on the CPU does not keep others from
/// running. The programs share the variables: in the code, each variable's address is a number.
class DeviceImage {
public:
  static llvm::Expected<std::unique_ptr<DeviceImage>>
  load(const ArchCode &Code, const DeviceInfo &Info, int Device, DeviceMemory &Memory, const Settings &Set);

  /// Null if there is no such kernel.
  ImageKernel *kernel(llvm::StringRef Symbol);
  /// Null if there is no such variable.
  const GuardedBuffer *variable(llvm::StringRef Symbol) const;
  /// The compiled kernel. Errors: those of HostProgram::create().
  llvm::Expected<HostProgram &> program(ImageKernel &Kernel);
  unsigned arch() const { return Arch; }
  uint64_t constantBytes() const { return ConstantBytes; }

private:
  DeviceImage(const DeviceInfo &Info, const Settings &Set) : Info(Info), Set(Set) {}
  llvm::Error placeVariables(int Device, DeviceMemory &Memory);
  llvm::Error describeKernels(llvm::StringRef Cubin);

  const DeviceInfo &Info;
  const Settings &Set;
  unsigned Arch = 0;
  uint64_t ConstantBytes = 0;
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> Code;
  llvm::StringMap<const GuardedBuffer *> Variables;
  llvm::StringMap<ImageKernel> Kernels;
};

} // namespace gpuprune

#endif // GPUPRUNE_TEST_CUDA_RUNTIME_DEVICEIMAGE_H
