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

/// Loads whose addresses change in the loop around them.
static SmallVector<const LoadInst *, 16> loadsOfLoops(Function &F) {
  DominatorTree DT(F);
  LoopInfo Loops(DT);
  SmallVector<const LoadInst *, 16> Loads;
  for (Loop *L : Loops.getLoopsInPreorder())
    for (BasicBlock *BB : L->blocks())
      for (Instruction &I : *BB)
        if (auto *Load = dyn_cast<LoadInst>(&I);
            Load && Loops.getLoopFor(BB) == L && !L->isLoopInvariant(Load->getPointerOperand()) &&
            !isa<AllocaInst>(getUnderlyingObject(Load->getPointerOperand())))
          Loads.push_back(Load);
  return Loads;
}

std::array<bool, 3> reusesLoads(Function &F) {
  std::array<bool, 3> Reuses = {};
  SmallVector<const LoadInst *, 16> Loads = loadsOfLoops(F);
  if (Loads.empty())
    return Reuses;
  for (unsigned Dimension = 0; Dimension != Reuses.size(); ++Dimension) {
    Influence OfBlock = influenceOfBlock(F, Dimension);
    Reuses[Dimension] = any_of(Loads, [&](const LoadInst *Load) {
      const auto *Address = dyn_cast<Instruction>(Load->getPointerOperand());
      return Address && !OfBlock.reaches(*Address);
    });
  }
  return Reuses;
}

} // namespace gpuprune
