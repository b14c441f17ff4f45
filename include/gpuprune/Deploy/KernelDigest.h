//===- KernelDigest.h - Whether a kernel is still the one that was tuned ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DEPLOY_KERNELDIGEST_H
#define GPUPRUNE_DEPLOY_KERNELDIGEST_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuprune {

/// \p Symbol without what clang appends to make an internal name unique in the program
/// ("__intern__" or "__static__" and a number), which differs from build to build.
std::string stableSymbol(llvm::StringRef Symbol);

/// SHA-256 over the canonical text of the kernel \p Symbol and all that it reaches, as the front end left it:
/// 64 hexadecimal digits. Names of values and types, debug info, positions and paths, the order in the file
/// and what else is there do not count; constants, attributes, fast-math flags and libdevice's functions do.
/// Input error where \p Bitcode cannot be read or has no such kernel.
llvm::Expected<std::string> kernelDigest(llvm::StringRef Bitcode, llvm::StringRef Symbol);

} // namespace gpuprune

#endif // GPUPRUNE_DEPLOY_KERNELDIGEST_H
