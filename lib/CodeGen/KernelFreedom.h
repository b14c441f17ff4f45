//===- KernelFreedom.h - Where bits of a kernel may differ ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_CODEGEN_KERNELFREEDOM_H
#define GPUPRUNE_LIB_CODEGEN_KERNELFREEDOM_H

#include "gpuprune/Analysis/FloatingPointFreedom.h"
#include "gpuprune/Analysis/TimeDependence.h"

namespace gpuprune {

/// What data flow tells of a kernel.
struct DataFreedom {
  FloatingPointFreedom Bits;
  std::vector<std::string> TimeDependence; ///< As timeDependence() says.
};

/// floatingPointFreedom and timeDependence of \p Kernel, a kernel of \p M, with all calls inlined that can
/// be, in a copy. A function that is not inlined is one to the analysis, whoever calls it: what one call
/// returns would go on to what another is given, and look like a sum that comes back to itself.
DataFreedom kernelFreedom(const llvm::Module &M, const llvm::Function &Kernel);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_CODEGEN_KERNELFREEDOM_H
