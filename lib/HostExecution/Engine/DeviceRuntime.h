//===- DeviceRuntime.h - What generated code calls -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_DEVICERUNTIME_H
#define GPUPRUNE_LIB_HOSTEXECUTION_DEVICERUNTIME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace gpuprune {

/// A function that generated code may call by its symbol.
struct RuntimeFunction {
  llvm::StringRef Symbol;
  void *Address;
  /// Whether the calling CUDA thread may have to wait for others in it.
  bool Meets;
};

/// All of them: those of DeviceRuntime.def and what the code generator itself calls.
llvm::ArrayRef<RuntimeFunction> runtimeFunctions();

bool isRuntimeFunction(llvm::StringRef Symbol);
bool isMeetingPoint(llvm::StringRef Symbol);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_DEVICERUNTIME_H
