//===- Skip.h - gpu-skip: work behind a branch where it is chosen -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  rest = 1 - r2 / (R * R);               After:  if (r2 < R * R) {
//          sum = rest > 0 ? sum + rest * rest : sum;        rest = 1 - r2 / (R * R);
//                                                           sum += rest * rest; }
//
// The optimiser makes a select of a short branch, so that all threads compute what few need. This pass moves
// what only one side of a select needs, if that is as much as a division, behind a branch: a warp of which no
// thread chooses it goes on at once. Selects of the same block whose work follows one another, as copies of a
// body or replicas have, share a branch, selects=N of them. The branch tests the conditions of all, each of
// which must not need the work itself; comparisons of a quotient with one, such as the above, are replaced by
// those of its operands (QuotientTests.h in lib/Transforms/Math says when that is the same).
//
// Why it is right. Only operations move that touch no memory, have no effect and belong to one thread; they
// are executed wherever a select of the branch chooses them, with the same operands, and in the same order.
// Where none does, each select has its other side, which was computed in front. A condition that may be
// undefined is frozen, so that one thread's branch is defined. Results are the same bit by bit.
//
// Refused: NothingToSkip, where no select has that much work of its own; NoSuchKernel.
//   docs/passes/gpu-skip.md has a line on each.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_SKIP_H
#define GPUPRUNE_TRANSFORMS_SKIP_H

#include "gpuprune/Transforms/PassOptions.h"
#include <string>

namespace gpuprune {

struct SkipOptions : TabledOptions<SkipOptions> {
  unsigned Selects = 1; ///< At most, that share a branch.
  std::string Kernel;   ///< Empty: every kernel of the module.

  static const OptionTable<SkipOptions> &table();
};

class SkipPass : public PassWithOptions<SkipPass, SkipOptions> {
public:
  static constexpr const char *PassName = "gpu-skip";
  using PassWithOptions::PassWithOptions;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
};

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_SKIP_H
