//===- Restrict.h - gpu-restrict: parameters that do not overlap ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  for (k = 0; k < n; k++)         After:  if (what a, b and c cover does not overlap) {
//            c[i * n + j] +=                         sum = c[i * n + j];
//                a[i * n + k] * b[k * n + j];        for (k = 0; k < n; k++)
//                                                      sum += a[i * n + k] * b[k * n + j];
//                                                    c[i * n + j] = sum;
//                                                  } else
//                                                    the kernel as it was
//
// Pointers without __restrict__ may overlap, so that each iteration has to store, and the next one to load
// behind that store. The pass makes a copy of the kernel for the launches in which they do not: the accesses
// there are marked as those of memory of their own (scoped noalias metadata), and what a loop need not load
// or store each time is moved out of it (LLVM's LICM). The kernel as it was is the way for all others. The
// test stands where the kernel begins; all threads of a launch go the same way. loop=N looks at the accesses
// of this loop and of those in it, loop=all at all of the kernel.
//
// Why it is right. For each parameter with a load or store whose place is known, the range of bytes that all
// threads of the launch access so is computed from the kernel's integer arguments and the extents of block
// and grid (LaunchRanges.h): never too small where the conditions hold that are tested with it. Two
// parameters one of which is written are apart if one range ends before the other begins. Only accesses that
// are in the ranges are marked; any others may still touch everything. What one thread of the copy does is
// then what it does in the kernel as it was, but for when it loads and stores, which no other thread may see
// without synchronisation; across that nothing is moved. Barriers stay barriers of the whole block, since the
// condition is the same in all its threads.
//
// Loops of the kernel as it was have no numbers any more: passes behind this one transform the copy's.
//
// Refused: NoSuchLoop; NoSuchKernel; KnownApart, where nothing may overlap that is not known to be apart;
//   UnknownRange, where it is not known how far the accesses reach; TooLarge, where too much would have to
//   be tested. docs/passes/gpu-restrict.md has a line on each.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_RESTRICT_H
#define GPUPRUNE_TRANSFORMS_RESTRICT_H

#include "gpuprune/Transforms/PassOptions.h"
#include <optional>
#include <string>

namespace gpuprune {

struct RestrictOptions : TabledOptions<RestrictOptions> {
  /// Whose accesses, and those of loops in it, are looked at; nothing: all of the kernel.
  std::optional<unsigned> Loop;
  std::string Kernel; ///< Empty: every kernel of the module.

  static const OptionTable<RestrictOptions> &table();
};

class RestrictPass : public PassWithOptions<RestrictPass, RestrictOptions> {
public:
  static constexpr const char *PassName = "gpu-restrict";
  using PassWithOptions::PassWithOptions;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
};

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_RESTRICT_H
