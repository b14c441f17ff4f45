//===- InnerLoopGuard.cpp - The test before an inner loop goes outside ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "InnerLoopGuard.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace gpuprune {

/// The branch before \p Inner's preheader, if its condition does not change in \p Outer.
static BranchInst *invariantGuard(Loop &Outer, Loop &Inner) {
  BasicBlock *Preheader = Inner.getLoopPreheader();
  BasicBlock *Before = Preheader ? Preheader->getSinglePredecessor() : nullptr;
  auto *Branch = Before && Outer.contains(Before) ? dyn_cast<BranchInst>(Before->getTerminator()) : nullptr;
  if (!Branch || !Branch->isConditional() || Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return nullptr;
  bool Changed = false;
  return Outer.makeLoopInvariant(Branch->getCondition(), Changed) ? Branch : nullptr;
}

bool hoistGuard(Loop &Outer, Loop &Inner, LoopAnalyses &A) {
  BranchInst *Guard = invariantGuard(Outer, Inner);
  if (!Guard)
    return false;
  BasicBlock *Choice = Outer.getLoopPreheader();
  BasicBlock *With = SplitEdge(Choice, Outer.getHeader(), &A.DT, &A.LI);
  SmallVector<BasicBlock *, 4> Exits;
  Outer.getUniqueExitBlocks(Exits);
  ValueToValueMapTy Copies;
  SmallVector<BasicBlock *, 16> Blocks;
  cloneLoopWithPreheader(With, Choice, &Outer, Copies, ".unguarded", &A.LI, &A.DT, Blocks);
  remapInstructionsInBlocks(Blocks, Copies);
  for (BasicBlock *Exit : Exits)
    for (PHINode &Phi : Exit->phis())
      for (unsigned I = 0, E = Phi.getNumIncomingValues(); I != E; ++I) {
        Value *Incoming = Copies.lookup(Phi.getIncomingValue(I));
        Phi.addIncoming(Incoming ? Incoming : Phi.getIncomingValue(I),
                        cast<BasicBlock>(Copies[Phi.getIncomingBlock(I)]));
      }
  unsigned Way = Guard->getSuccessor(0) == Inner.getLoopPreheader() ? 0 : 1;
  auto *Other = cast<BranchInst>(Copies[Guard]);
  // The author's program may not come to the test in its first iteration.
  IRBuilder<> Builder(Choice->getTerminator());
  Value *Condition = Builder.CreateFreeze(Guard->getCondition(), "guard");
  auto *Without = cast<BasicBlock>(Copies[With]);
  Builder.CreateCondBr(Condition, Way == 0 ? With : Without, Way == 0 ? Without : With);
  Choice->getTerminator()->eraseFromParent();
  Guard->setCondition(Builder.getInt1(Way == 0));
  Other->setCondition(Builder.getInt1(Way != 0));
  ConstantFoldTerminator(Guard->getParent());
  ConstantFoldTerminator(Other->getParent());
  removeUnreachableBlocks(*Choice->getParent());
  return true;
}

} // namespace gpuprune
