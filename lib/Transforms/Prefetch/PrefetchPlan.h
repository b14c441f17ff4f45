//===- PrefetchPlan.h - Which loads gpu-prefetch makes ahead, and where -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_PREFETCHPLAN_H
#define GPUPRUNE_LIB_TRANSFORMS_PREFETCHPLAN_H

#include "LoopAhead.h"
#include "gpuprune/Transforms/Refusal.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class LoopInfo;
}

namespace gpuprune {

struct AheadLoad {
  llvm::LoadInst *Load = nullptr;
  PathConditions Conditions; ///< Beside that its iteration exists.
};

struct PrefetchPlan {
  llvm::Loop *L = nullptr;
  std::unique_ptr<LoopAhead> Ahead;
  PathConditions Next; ///< That another iteration follows.
  llvm::SmallVector<AheadLoad, 8> Loads;
  /// The loads of a later iteration are made behind it; nullptr: at the iteration's head.
  llvm::Instruction *Barrier = nullptr;
  /// Why loads of global memory stay where they are.
  llvm::SmallVector<Refusal, 4> Stay;
};

/// The first instruction that is executed in every iteration of \p L, in no loop within it, that
/// \p IsBarrier takes, and that follows all of \p Behind; nullptr where there is none.
llvm::Instruction *firstBarrierBehind(const llvm::Loop &L, const llvm::DominatorTree &DT,
                                      const llvm::LoopInfo &LI,
                                      llvm::ArrayRef<const llvm::Instruction *> Behind,
                                      llvm::function_ref<bool(const llvm::Instruction &)> IsBarrier);

/// Decides for \p L of \p F. Refuses where no load can be made ahead:
/// docs/passes/gpu-prefetch.md says of each name what it means.
Verdict planPrefetch(llvm::Function &F, llvm::Loop &L, llvm::FunctionAnalysisManager &FAM,
                     PrefetchPlan &Plan);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_PREFETCHPLAN_H
