//===- FloatingPointFreedom.h - Where bits may differ ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_FLOATINGPOINTFREEDOM_H
#define GPUPRUNE_DRIVER_FLOATINGPOINTFREEDOM_H

#include <set>
#include <string>

namespace llvm {
class Module;
}

namespace gpuprune {

/// What device code leaves open about its results.
struct FloatingPointFreedom {
  /// Fast-math flags let the optimiser compute otherwise in one variant than in another,
  /// and atomic additions of floating point come in no order.
  bool BetweenVariants = false;
  /// Why the GPU may have other bits than the CPU: operations that it approximates, by the
  /// name of their PTX ("rsqrt.approx.f"), "fast-math flags", "atomic fadd".
  std::set<std::string> Approximate;

  bool betweenMachines() const { return !Approximate.empty(); }
};

/// Of all functions of \p M.
FloatingPointFreedom floatingPointFreedom(const llvm::Module &M);

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_FLOATINGPOINTFREEDOM_H
