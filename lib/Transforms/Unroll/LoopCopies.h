//===- LoopCopies.h - Unrolling as the passes need it -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_LOOPCOPIES_H
#define GPUPRUNE_LIB_TRANSFORMS_LOOPCOPIES_H

#include "Facts/Influence.h"
#include "gpuprune/Transforms/Unroll.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"

namespace gpuprune {

/// The analyses that unrolling keeps up to date.
struct LoopAnalyses {
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  llvm::DominatorTree &DT;
  llvm::AssumptionCache &AC;
  const llvm::TargetTransformInfo &TTI;

  LoopAnalyses(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
};

/// How one loop is unrolled.
struct UnrollPlan {
  unsigned Count = 1;
  bool NeedsRemainder = false;
  UnrollRemainder Remainder = UnrollRemainder::Loop;

  /// Whether copies without tests between them leave a rest, in code of its own.
  bool hasRest() const { return NeedsRemainder && Remainder != UnrollRemainder::None; }
};

/// Gives \p L one preheader, one latch that ends in a branch out of the loop or to the
/// header, and LCSSA form. Nothing happens to a loop that has them. Refuses
/// NotUnrolled where \p L cannot be copied.
Verdict bringIntoForm(llvm::Loop &L, unsigned Number, LoopAnalyses &A);

/// A convergent operation of \p L; null where it has none.
const llvm::CallBase *findConvergent(const llvm::Loop &L);

/// Whether \p L runs equally often in all threads that come to it together.
bool isTripCountOfBlock(const llvm::Loop &L, LoopAnalyses &A, const Influence &OfThread);

/// Plans \p L, which is in form, for \p Factor copies; refuses TooLarge.
Verdict planCopies(const llvm::Loop &L, unsigned Factor, UnrollRemainder Remainder, LoopAnalyses &A,
                   const Influence &OfThread, UnrollPlan &Plan);

/// Does it. Returns whether the loop is still there; it and a remainder loop carry
/// llvm.loop.unroll.disable then.
bool makeCopies(llvm::Loop &L, const UnrollPlan &Plan, LoopAnalyses &A);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_LOOPCOPIES_H
