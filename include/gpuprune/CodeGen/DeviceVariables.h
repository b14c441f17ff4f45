//===- DeviceVariables.h - The variables of a CUDA source -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CODEGEN_DEVICEVARIABLES_H
#define GPUPRUNE_CODEGEN_DEVICEVARIABLES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuprune {

/// A __constant__ or __device__ variable.
struct DeviceVariable {
  std::string Symbol;
  uint64_t Bytes = 0;
  bool Written = false; ///< By the kernel, or a function that it calls, through its name.
};

/// Those of \p Bitcode, as the front end left it; \p Kernel is the kernel's name. Input error where there is
/// not exactly one of that name.
llvm::Expected<std::vector<DeviceVariable>> deviceVariables(llvm::StringRef Bitcode, llvm::StringRef Kernel);

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_DEVICEVARIABLES_H
