//===- ControlRegion.cpp - The part of a kernel that a branch decides -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ControlRegion.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// Grows a set of blocks until it has one way in and one way out.
class RegionGrower {
public:
  RegionGrower(DominatorTree &DT, PostDominatorTree &PDT) : DT(DT), PDT(PDT) {}
  std::optional<ControlRegion> grow(ArrayRef<BasicBlock *> Inside);

private:
  DominatorTree &DT;
  PostDominatorTree &PDT;
  ControlRegion R;

  bool findExit();
  void fill();
  bool takeWaysIn();
};

} // namespace

/// The first block after all of the region's that every way from them passes.
bool RegionGrower::findExit() {
  BasicBlock *Exit = R.Head;
  for (BasicBlock *BB : R.Blocks)
    if (Exit)
      Exit = PDT.findNearestCommonDominator(Exit, BB);
  while (Exit && R.Blocks.contains(Exit)) {
    const auto *Node = PDT.getNode(Exit);
    Exit = Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
  }
  R.Exit = Exit;
  return Exit;
}

void RegionGrower::fill() {
  SmallVector<BasicBlock *, 16> Ahead{R.Head};
  R.Blocks.insert(R.Head);
  for (BasicBlock *BB : R.Blocks)
    Ahead.push_back(BB);
  while (!Ahead.empty())
    for (BasicBlock *Next : successors(Ahead.pop_back_val()))
      if (Next != R.Exit && R.Blocks.insert(Next))
        Ahead.push_back(Next);
}

/// Returns whether there was another way in, or the head is part of a cycle and so cannot be split: the
/// head is further up then, or what leads in from behind the exit is of the region as well.
bool RegionGrower::takeWaysIn() {
  for (BasicBlock *BB : R.Blocks)
    for (BasicBlock *Before : predecessors(BB)) {
      assert(DT.isReachableFromEntry(Before) && "blocks that nothing leads to are removed before");
      bool Within = R.Blocks.contains(Before);
      if (Within != (BB == R.Head))
        continue;
      BasicBlock *Head = BB == R.Head ? DT.getNode(BB)->getIDom()->getBlock()
                                      : DT.findNearestCommonDominator(R.Head, Before);
      if (Head == R.Head)
        R.Blocks.insert(Before);
      R.Head = Head;
      return true;
    }
  return false;
}

std::optional<ControlRegion> RegionGrower::grow(ArrayRef<BasicBlock *> Inside) {
  R.Head = Inside.front();
  for (BasicBlock *BB : Inside) {
    R.Head = DT.findNearestCommonDominator(R.Head, BB);
    R.Blocks.insert(BB);
  }
  size_t Size = 0;
  bool Moved = true;
  while (Moved || Size != R.Blocks.size()) {
    R.Blocks.insert(R.Head);
    Size = R.Blocks.size();
    if (!findExit())
      return std::nullopt;
    fill();
    Moved = takeWaysIn();
  }
  return std::move(R);
}

/// Leaves in the head nothing but its terminator.
static void splitHead(ControlRegion &R, DomTreeUpdater &Updater) {
  if (R.Head->getFirstNonPHIIt() == R.Head->begin() && &R.Head->front() == R.Head->getTerminator() &&
      !R.Head->isEntryBlock())
    return;
  BasicBlock *Rest = R.Head;
  R.Head = SplitBlock(Rest, Rest->getTerminator()->getIterator(), &Updater, nullptr, nullptr, "branch");
  R.Blocks.remove(Rest);
  R.Blocks.insert(R.Head);
}

static void splitJoin(ControlRegion &R, DomTreeUpdater &Updater) {
  SmallVector<BasicBlock *, 4> Leaving;
  for (BasicBlock *Before : predecessors(R.Exit))
    if (R.Blocks.contains(Before) && !is_contained(Leaving, Before))
      Leaving.push_back(Before);
  bool IsJoin = Leaving.size() == 1 && Leaving.front() != R.Head &&
                isa<BranchInst>(Leaving.front()->getTerminator()) &&
                cast<BranchInst>(Leaving.front()->getTerminator())->isUnconditional();
  R.Join = IsJoin ? Leaving.front() : SplitBlockPredecessors(R.Exit, Leaving, ".join", &Updater);
  R.Blocks.insert(R.Join);
}

std::optional<ControlRegion> RegionFinder::isolate(ArrayRef<BasicBlock *> Inside) {
  assert(!Inside.empty() && "a region is around something");
  std::optional<ControlRegion> R = RegionGrower(DT, PDT).grow(Inside);
  if (!R)
    return std::nullopt;
  splitHead(*R, Updater);
  splitJoin(*R, Updater);
  return R;
}

BasicBlock *unifyReturns(Function &F) {
  SmallVector<Instruction *, 4> Ends;
  for (BasicBlock &BB : F)
    if (isa<ReturnInst, UnreachableInst>(BB.getTerminator()))
      Ends.push_back(BB.getTerminator());
  if (Ends.size() == 1 && isa<ReturnInst>(Ends.front()) &&
      &Ends.front()->getParent()->front() == Ends.front() && !Ends.front()->getParent()->isEntryBlock())
    return Ends.front()->getParent();
  BasicBlock *Return = BasicBlock::Create(F.getContext(), "return", &F);
  for (Instruction *End : Ends) {
    BranchInst::Create(Return, End->getIterator())->setDebugLoc(End->getDebugLoc());
    End->eraseFromParent();
  }
  ReturnInst::Create(F.getContext(), Return);
  return Return;
}

} // namespace gpuprune
