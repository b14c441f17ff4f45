//===- TimeDependence.h - Whether a kernel's time depends on its data -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel may be timed again over what an earlier run left in memory if that cannot
// change how long it takes. What it only reads is left as it was. What it may write can,
// where by data flow (DataFlow.h; through memory, too) it reaches
//
//   * a branch, a switch or the condition of a select, which the code generator may
//     make a branch of;
//   * an address, which decides how many sectors are read, or which bank conflicts
//     there are;
//   * an operation that takes a slow path for some operands (division, remainder,
//     square root), an atomic operation, inline assembly or a call that is not known
//     to take the same time for all operands.
//
// The rest (fused multiply-adds, sums, shifts, conversions, minima) takes the same
// time for all operands, denormals and NaN included. Transformations replicate these
// operations and make no branch or address of other values, so what is proved of the
// prepared kernel holds for its variants.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_ANALYSIS_TIMEDEPENDENCE_H
#define GPUPRUNE_ANALYSIS_TIMEDEPENDENCE_H

#include <string>
#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace gpuprune {

/// For each parameter of \p Kernel, a function with a body: the first operation that the contents of what it
/// points to reach and whose time may depend on them, as LLVM calls it ("br", "fdiv", "an address").
/// Empty: none, or the kernel does not write there, or the parameter is no pointer.
std::vector<std::string> timeDependence(const llvm::Function &Kernel);

} // namespace gpuprune

#endif // GPUPRUNE_ANALYSIS_TIMEDEPENDENCE_H
