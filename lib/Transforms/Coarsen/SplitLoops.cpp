//===- SplitLoops.cpp - Loops that end at different times in each replica -===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SplitLoops.h"
#include "FastPath.h"
#include "Guards.h"
#include "Kernel/SizeLimit.h"
#include "LoopSplitter.h"
#include "ReplicaInfluence.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace gpuprune {

/// What may stand between a guard and its loop and is then computed before the guard.
static constexpr unsigned MostBeforeLoop = 16;

namespace {

class LoopFinder {
public:
  /// \p Rests is left alone: a rest is for one replica.
  LoopFinder(Function &F, const Coarsening &C, const Untouched &Skip,
             const SmallPtrSetImpl<const BasicBlock *> &Rests)
      : C(C), Skip(Skip), Rests(Rests), DT(F), Loops(DT), OfReplica(influenceOfReplica(F, C, Skip)),
        OfThread(influenceOfThread(F)), Size(F.getInstructionCount()) {}

  /// The loops to jam, an outer one before those in it.
  SmallVector<SplitLoop, 4> run();

private:
  const Coarsening &C;
  const Untouched &Skip;
  const SmallPtrSetImpl<const BasicBlock *> &Rests;
  DominatorTree DT;
  LoopInfo Loops;
  Influence OfReplica, OfThread;
  uint64_t Size;

  bool hasForm(const Loop &L) const;
  bool isFreeOfEffectsBefore(const Loop &L, const BasicBlock &Exiting) const;
  bool collectExits(const Loop &L, SplitLoop &Found) const;
  void findGuard(const Loop &L, SplitLoop &Found) const;
  bool threadsLeaveAlike(const Loop &L, const SplitLoop &Found) const;
  std::optional<SplitLoop> asSplit(Loop &L) const;
};

} // namespace

bool LoopFinder::hasForm(const Loop &L) const {
  return L.isLoopSimplifyForm() && !Skip.Blocks.contains(L.getHeader()) && !Rests.contains(L.getHeader()) &&
         L.isSafeToClone();
}

static bool hasEffect(const Instruction &I) {
  if (I.isDebugOrPseudoInst())
    return false;
  const auto *Known = dyn_cast<IntrinsicInst>(&I);
  if (Known && Known->isAssumeLikeIntrinsic())
    return false;
  return I.mayHaveSideEffects() || isMadeTogether(I);
}

/// Whether an iteration that comes to the end of \p Exiting has done nothing yet that
/// must not be done again.
bool LoopFinder::isFreeOfEffectsBefore(const Loop &L, const BasicBlock &Exiting) const {
  SmallVector<const BasicBlock *, 8> Back{&Exiting};
  SmallPtrSet<const BasicBlock *, 8> Seen;
  while (!Back.empty()) {
    const BasicBlock *BB = Back.pop_back_val();
    if (!Seen.insert(BB).second)
      continue;
    if (any_of(*BB, hasEffect))
      return false;
    if (BB != L.getHeader())
      Back.append(pred_begin(BB), pred_end(BB));
  }
  return true;
}

bool LoopFinder::collectExits(const Loop &L, SplitLoop &Found) const {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  for (BasicBlock *BB : Exiting) {
    auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
    if (!Branch || Loops.getLoopFor(BB) != &L || !DT.dominates(BB, L.getLoopLatch()))
      return false;
    if (BB != L.getLoopLatch() && !isFreeOfEffectsBefore(L, *BB))
      return false;
    Found.Exits.push_back(Branch);
  }
  return any_of(Found.Exits, [&](const BranchInst *Exit) { return OfReplica.reaches(*Exit); });
}

/// A branch past the loop that goes different ways in the replicas.
void LoopFinder::findGuard(const Loop &L, SplitLoop &Found) const {
  BasicBlock *Before = L.getLoopPreheader()->getSinglePredecessor();
  auto *Branch = Before ? dyn_cast<BranchInst>(Before->getTerminator()) : nullptr;
  if (!Branch || !Branch->isConditional() || Branch->getSuccessor(0) == Branch->getSuccessor(1) ||
      !OfReplica.reaches(*Branch) || Loops.getLoopFor(Before) != L.getParentLoop())
    return;
  const BasicBlock &Preheader = *L.getLoopPreheader();
  if (Preheader.size() > MostBeforeLoop)
    return;
  for (const Instruction &I : make_range(Preheader.begin(), Preheader.getTerminator()->getIterator()))
    if (!isa<PHINode>(I) && !canComputeAnywhere(I))
      return;
  Found.Guard = Branch;
}

bool LoopFinder::threadsLeaveAlike(const Loop &L, const SplitLoop &Found) const {
  bool Meet = any_of(L.blocks(), [](const BasicBlock *BB) { return any_of(*BB, isMadeTogether); });
  if (!Meet)
    return true;
  return none_of(Found.Exits, [&](const BranchInst *Exit) { return OfThread.reaches(*Exit); }) &&
         !(Found.Guard && OfThread.reaches(*Found.Guard));
}

std::optional<SplitLoop> LoopFinder::asSplit(Loop &L) const {
  SplitLoop Found;
  Found.L = &L;
  if (!hasForm(L) || !collectExits(L, Found))
    return std::nullopt;
  findGuard(L, Found);
  const BasicBlock *Entered = Found.Guard ? Found.Guard->getParent() : L.getLoopPreheader();
  if (OfReplica.decides(*Entered) || !threadsLeaveAlike(L, Found))
    return std::nullopt;
  uint64_t Added = 0;
  for (const BasicBlock *BB : L.blocks())
    Added += BB->size();
  if (SaturatingMultiply(C.replicas(), SaturatingAdd(Size, Added)) > LargestBody)
    return std::nullopt;
  return Found;
}

SmallVector<SplitLoop, 4> LoopFinder::run() {
  SmallVector<SplitLoop, 4> Found;
  for (Loop *L : Loops.getLoopsInPreorder())
    if (std::optional<SplitLoop> Jammed = asSplit(*L))
      Found.push_back(std::move(*Jammed));
  return Found;
}

void simplifyLoops(Function &F, const Untouched &Skip) {
  DominatorTree DT(F);
  LoopInfo Loops(DT);
  for (Loop *L : Loops) {
    if (Skip.Blocks.contains(L->getHeader()))
      continue;
    simplifyLoop(L, &DT, &Loops, nullptr, nullptr, nullptr, /*PreserveLCSSA=*/false);
    formLCSSARecursively(*L, DT, &Loops, nullptr);
  }
}

SmallPtrSet<const Instruction *, 4> guardsOfSplitLoops(Function &F, const Coarsening &C,
                                                       const Untouched &Skip) {
  SmallPtrSet<const Instruction *, 4> Guards;
  SmallPtrSet<const BasicBlock *, 1> NoRests;
  for (const SplitLoop &Found : LoopFinder(F, C, Skip, NoRests).run())
    if (Found.Guard)
      Guards.insert(Found.Guard);
  return Guards;
}

/// One after the other: what is in a loop differs less once the loop is jammed.
void splitLoops(Function &F, const Coarsening &C, const Untouched &Skip) {
  SmallPtrSet<const BasicBlock *, 16> Rests;
  while (true) {
    LoopFinder Finder(F, C, Skip, Rests);
    SmallVector<SplitLoop, 4> Found = Finder.run();
    if (Found.empty())
      return;
    splitLoop(F, Found.front(), Rests);
  }
}

} // namespace gpuprune
