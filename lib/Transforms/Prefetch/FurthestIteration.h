//===- FurthestIteration.h - The iteration that is read ahead ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of the iteration furthest ahead of the loop's own, and whether that
// iteration exists: begun before the loop, carried around it, and advanced once in
// each iteration.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_FURTHESTITERATION_H
#define GPUPRUNE_LIB_TRANSFORMS_FURTHESTITERATION_H

#include "PrefetchPlan.h"

namespace llvm {
class DomTreeUpdater;
class LoopInfo;
} // namespace llvm

namespace gpuprune {

class FurthestIteration {
public:
  FurthestIteration(PrefetchPlan &Plan, llvm::DomTreeUpdater &DTU, llvm::LoopInfo &LI);

  /// Calls \p Read(D, Before) for iterations 0 to \p Distance - 1, whose code goes before the
  /// loop, then for iteration \p Distance ahead, whose code goes behind the plan's barrier or to
  /// the head of the loop.
  void run(unsigned Distance, llvm::function_ref<void(unsigned D, llvm::Instruction &Before)> Read);

  /// The values of the iteration.
  const IterationValues &values() const { return State; }

  /// Makes a block before \p Before that is executed where the iteration exists and \p Conditions
  /// hold; \p Values gets what is computed for them. Returns its end, or \p Before where that is sure.
  llvm::Instruction &guard(llvm::ArrayRef<PathCondition> Conditions, IterationValues &Values,
                           llvm::Instruction &Before);

private:
  PrefetchPlan &Plan;
  LoopAhead &Ahead;
  llvm::DomTreeUpdater &DTU;
  llvm::LoopInfo &LI;
  IterationValues State;
  llvm::Value *Exists = nullptr; ///< nullptr: surely.

  void advance(llvm::Instruction &Before);
  llvm::SmallVector<llvm::PHINode *, 4> carry(unsigned Distance);
  void close(llvm::ArrayRef<llvm::PHINode *> Carried);
};

/// Carries out \p Plan with the values in registers.
void prefetchToRegisters(PrefetchPlan &Plan, unsigned Distance, llvm::DomTreeUpdater &DTU,
                         llvm::LoopInfo &LI);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_FURTHESTITERATION_H
