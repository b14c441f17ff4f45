//===- EmptyConstants.h - Constant memory that nothing fills ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program fills its __constant__ variables before it launches a kernel; a workload does so with a buffer
// that has a symbol. Where that is forgotten a kernel multiplies by zeros, and hardly any mistake of a
// variant shows.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_CHECK_EMPTYCONSTANTS_H
#define GPUPRUNE_LIB_CHECK_EMPTYCONSTANTS_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace gpuprune {

/// The variables in constant memory that \p Kernel of \p Ptx reads and that begin with zeros alone. None
/// where there is no such kernel.
std::vector<std::string> emptyConstants(llvm::StringRef Ptx, llvm::StringRef Kernel);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_CHECK_EMPTYCONSTANTS_H
