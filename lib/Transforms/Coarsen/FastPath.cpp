//===- FastPath.cpp - A kernel without its guards, where all replicas pass --===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FastPath.h"
#include "Facts/Influence.h"
#include "Facts/LanesThatEnded.h"
#include "Guards.h"
#include "Kernel/SizeLimit.h"
#include "OneByOne.h"
#include "SplitLoops.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace gpuprune {

/// Threads that do something together have to be on one path. Where blocks have shared memory, the slow one
/// has a barrier between replicas.
static bool threadsMeet(Function &F, const Coarsening &C) {
  return any_of(instructions(F), isMadeTogether) ||
         (C.blocks() && usesShared(to_vector(make_pointer_range(F))));
}

/// What is computed at the kernel's start whatever happens moves before the
/// question, where its results are needed and its flags hold.
static void moveUnconditional(BasicBlock &From, BasicBlock &To) {
  for (Instruction &I : make_early_inc_range(From)) {
    if (!canComputeAnywhere(I))
      return;
    I.moveBefore(To.getTerminator()->getIterator());
  }
}

static SmallVector<BasicBlock *, 16> cloneBody(Function &F, ArrayRef<BasicBlock *> Body,
                                               ValueToValueMapTy &VMap) {
  SmallVector<BasicBlock *, 16> Clones;
  for (BasicBlock *BB : Body) {
    Clones.push_back(CloneBasicBlock(BB, VMap, ".slow", &F));
    VMap[BB] = Clones.back();
  }
  remapInstructionsInBlocks(Clones, VMap);
  SmallVector<MDNode *, 4> Scopes;
  identifyNoAliasScopesToClone(Clones, Scopes);
  cloneAndAdaptNoAliasScopes(Scopes, Clones, F.getContext(), "slow");
  for (BasicBlock *BB : Clones)
    if (BB->getTerminator()->hasMetadata(LLVMContext::MD_loop))
      forgetLoop(*BB->getTerminator());
  return Clones;
}

/// The condition of all \p Guards for all replicas, computed at the end of \p Entry.
static Value *ask(ArrayRef<Guard> Guards, BasicBlock &Entry, bool Together) {
  IRBuilder<> B(Entry.getTerminator());
  FunctionCallee Question = forAllReplicas(*Entry.getModule());
  Value *All = nullptr;
  bool Varies = false;
  DenseMap<Value *, Value *> Hoisted;
  for (const Guard &G : Guards)
    for (const GuardLeaf &Leaf : G.Leaves) {
      Value *Holds = computeAt(B, Leaf.Condition, Hoisted, Varies);
      if (!Leaf.Expected)
        Holds = B.CreateNot(Holds, "passes");
      Value *ForAll = B.CreateCall(Question, {Holds}, "for.all");
      All = All ? B.CreateAnd(All, ForAll) : ForAll;
    }
  if (Together && Varies)
    All = B.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_red_and_aligned_all, {B.getInt32(0), All});
  return All;
}

/// On the fast path the guard's way is known.
static void passGuard(const Guard &G) {
  BasicBlock *BB = G.Branch->getParent();
  BasicBlock *Way = G.Branch->getSuccessor(G.Way);
  BasicBlock *Other = G.Branch->getSuccessor(1 - G.Way);
  Other->removePredecessor(BB, /*KeepOneInputPHIs=*/true);
  BranchInst::Create(Way, G.Branch->getIterator())->setDebugLoc(G.Branch->getDebugLoc());
  G.Branch->eraseFromParent();
}

/// What all threads of the block answer alike needs no barrier, and comes last.
static Value *askOfGrid(BasicBlock &Entry, const Coarsening &C, const GridGuard &Grid, Value *Others,
                        Untouched &Skip) {
  if (!Grid)
    return Others;
  IRBuilder<> B(Entry.getTerminator());
  Value *InGrid = isWholeBlockInGrid(B, C, Grid, Skip);
  return Others ? B.CreateAnd(Others, InGrid) : InGrid;
}

void addFastPath(Function &F, const Coarsening &C, const GridGuard &Grid, BasicBlock *Return,
                 Untouched &Skip) {
  assert(isa<ReturnInst>(Return->front()) && "unifyReturns has left one alone");
  if (C.replicas() > LargestBody)
    return; // Too large, as planning will say.
  bool Together = threadsMeet(F, C);
  SmallVector<Guard, 4> Guards = findGuards(F, C, Together);
  if (C.SplitLoops) {
    auto OfLoops = guardsOfSplitLoops(F, C, Skip);
    erase_if(Guards, [&](const Guard &G) { return OfLoops.contains(G.Branch); });
  }
  erase_if(Guards, [&](const Guard &G) { return G.Branch == Grid.Branch; });
  if ((Guards.empty() && !Grid) || checkOneByOne(F, C))
    return;

  BasicBlock *Fast = splitVariables(F);
  SmallVector<BasicBlock *, 16> Body;
  for (BasicBlock &BB : F)
    if (!BB.isEntryBlock() && &BB != Return)
      Body.push_back(&BB);
  // Lanes that have ended must not be waited for: not between replicas either.
  bool MayEnd = checkNoLaneEnds(F).has_value();
  if (MayEnd && usesShared(Body))
    return;
  ValueToValueMapTy VMap;
  SmallVector<BasicBlock *, 16> Clones = cloneBody(F, Body, VMap);
  BasicBlock *Slow = runOneByOne(F, C, Clones, cast<BasicBlock>(VMap[Fast]), Return, Skip,
                                 /*LanesWait=*/!MayEnd);

  BasicBlock &Entry = F.getEntryBlock();
  moveUnconditional(*Fast, Entry);
  Value *All = askOfGrid(Entry, C, Grid, ask(Guards, Entry, Together), Skip);
  Instruction *Jump = Entry.getTerminator();
  auto *Branch = BranchInst::Create(Fast, Slow, All, Jump->getIterator());
  Branch->setMetadata(LLVMContext::MD_prof, MDBuilder(F.getContext()).createLikelyBranchWeights());
  if (!Guards.empty())
    Branch->setDebugLoc(Guards.front().Branch->getDebugLoc());
  Jump->eraseFromParent();
  if (Grid)
    passGuard({Grid.Branch, 0, {}});
  for (const Guard &G : Guards)
    passGuard(G);
  EliminateUnreachableBlocks(F);
}

} // namespace gpuprune
