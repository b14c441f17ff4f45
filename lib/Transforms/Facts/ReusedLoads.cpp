//===- ReusedLoads.cpp - Loads that results of several blocks share ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/ReusedLoads.h"
#include "Influence.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuprune {

static Influence influenceOfBlock(Function &F, unsigned Dimension) {
  return Influence(F, [Dimension](const Instruction &I) {
    return readsRegister(I, RegisterFamily::BlockIndex, Dimension);
  });
}

namespace {

struct LoadOfLoop {
  const LoadInst *Load;
  const Loop *L; ///< The innermost around it.
};

} // namespace

/// Loads whose addresses change in the loop around them.
static SmallVector<LoadOfLoop, 16> loadsOfLoops(const LoopInfo &Loops) {
  SmallVector<LoadOfLoop, 16> Loads;
  for (const Loop *L : Loops.getLoopsInPreorder())
    for (BasicBlock *BB : L->blocks())
      for (Instruction &I : *BB)
        if (auto *Load = dyn_cast<LoadInst>(&I);
            Load && Loops.getLoopFor(BB) == L && !L->isLoopInvariant(Load->getPointerOperand()) &&
            !isa<AllocaInst>(getUnderlyingObject(Load->getPointerOperand())))
          Loads.push_back({Load, L});
  return Loads;
}

/// Whether a branch that depends on \p OfBlock decides in an iteration if it comes to the load.
static bool isConditional(const LoadOfLoop &L, const DominatorTree &DT, const Influence &OfBlock) {
  const BasicBlock *BB = L.Load->getParent(), *Latch = L.L->getLoopLatch();
  if (Latch && DT.dominates(BB, Latch))
    return false;
  while (BB != L.L->getHeader()) {
    BB = DT.getNode(BB)->getIDom()->getBlock();
    if (OfBlock.reaches(*BB->getTerminator()))
      return true;
  }
  return false;
}

std::array<bool, 3> reusesLoads(Function &F) {
  std::array<bool, 3> Reuses = {};
  DominatorTree DT(F);
  LoopInfo Loops(DT);
  SmallVector<LoadOfLoop, 16> Loads = loadsOfLoops(Loops);
  if (Loads.empty())
    return Reuses;
  for (unsigned Dimension = 0; Dimension != Reuses.size(); ++Dimension) {
    Influence OfBlock = influenceOfBlock(F, Dimension);
    Reuses[Dimension] = any_of(Loads, [&](const LoadOfLoop &L) {
      const auto *Address = dyn_cast<Instruction>(L.Load->getPointerOperand());
      return Address && !OfBlock.reaches(*Address) && !isConditional(L, DT, OfBlock);
    });
  }
  return Reuses;
}

} // namespace gpuprune
