//===- LaunchAttributes.h - A kernel's launch contract in IR --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each field of a launch contract is a function attribute, "gpuprune-" and its name.
// They survive the -O3 pipeline and never reach the PTX.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_ANALYSIS_LAUNCHATTRIBUTES_H
#define GPUPRUNE_ANALYSIS_LAUNCHATTRIBUTES_H

#include "gpuprune/Launch/LaunchContract.h"

namespace llvm {
class Function;
}

namespace gpuprune {

/// The contract recorded on \p Kernel; the identity where nothing is recorded.
/// Errors: Input, where an attribute is not what is written there, or the kernel does not
/// have the parameters that it names.
llvm::Expected<LaunchContract> readLaunchContract(const llvm::Function &Kernel);

/// Records \p Contract on \p Kernel in place of what was recorded before; the
/// identity leaves no attribute behind.
void writeLaunchContract(llvm::Function &Kernel, const LaunchContract &Contract);

} // namespace gpuprune

#endif // GPUPRUNE_ANALYSIS_LAUNCHATTRIBUTES_H
