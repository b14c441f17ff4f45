//===- FloatingPointFreedom.h - Where bits may differ ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_FLOATINGPOINTFREEDOM_H
#define GPUPRUNE_DRIVER_FLOATINGPOINTFREEDOM_H

namespace llvm {
class Module;
}

namespace gpuprune {

/// What device code leaves open about its results.
struct FloatingPointFreedom {
  /// Fast-math flags let the optimiser compute otherwise in one variant than in another.
  bool BetweenVariants = false;
  /// Operations that the GPU approximates, so that the CPU has other bits.
  bool BetweenMachines = false;
};

/// Of all functions of \p M.
FloatingPointFreedom floatingPointFreedom(const llvm::Module &M);

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_FLOATINGPOINTFREEDOM_H
