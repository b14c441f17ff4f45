//===- RaggedLoops.cpp - Loops as long as memory says ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/RaggedLoops.h"
#include "Influence.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace gpuprune {

static bool readsIndex(const Instruction &I) {
  const SpecialRegister *Register = specialRegister(I);
  return Register &&
         is_contained({RegisterFamily::ThreadIndex, RegisterFamily::BlockIndex}, Register->Family);
}

bool hasRaggedLoops(Function &F) {
  DominatorTree DT(F);
  LoopInfo Loops(DT);
  if (Loops.empty())
    return false;
  Influence OfIndex(F, readsIndex);
  auto ReadsAtIndex = [&](const Instruction &I) {
    const auto *Load = dyn_cast<LoadInst>(&I);
    const auto *Address = Load ? dyn_cast<Instruction>(Load->getPointerOperand()) : nullptr;
    return Address && OfIndex.reaches(*Address);
  };
  Influence OfMemory(F, ReadsAtIndex);
  return any_of(Loops.getLoopsInPreorder(), [&](const Loop *L) {
    SmallVector<BasicBlock *, 4> Exiting;
    L->getExitingBlocks(Exiting);
    return any_of(Exiting, [&](const BasicBlock *BB) { return OfMemory.reaches(*BB->getTerminator()); });
  });
}

} // namespace gpuprune
