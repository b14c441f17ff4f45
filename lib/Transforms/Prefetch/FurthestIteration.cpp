//===- FurthestIteration.cpp - The iteration that is read ahead -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FurthestIteration.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gpuprune {

FurthestIteration::FurthestIteration(PrefetchPlan &Plan, DomTreeUpdater &DTU, LoopInfo &LI)
    : Plan(Plan), Ahead(*Plan.Ahead), DTU(DTU), LI(LI) {
  Ahead.hoistInvariants();
  State = Ahead.first();
}

/// To the next iteration.
void FurthestIteration::advance(Instruction &Before) {
  IRBuilder<> Builder(&Before);
  Exists = Ahead.evaluate(Exists, Plan.Next, State, Builder);
  State = Ahead.next(State, Builder);
}

Instruction &FurthestIteration::guard(ArrayRef<PathCondition> Conditions, IterationValues &Values,
                                      Instruction &Before) {
  IRBuilder<> Builder(&Before);
  Value *Condition = Ahead.evaluate(Exists, Conditions, Values, Builder);
  if (!Condition)
    return Before;
  MDNode *Likely = MDBuilder(Before.getContext()).createLikelyBranchWeights();
  return *SplitBlockAndInsertIfThen(Condition, Before.getIterator(), /*Unreachable=*/false, Likely, &DTU,
                                    &LI);
}

/// Around the loop goes the iteration before the one to be read. With distance 1
/// that is the loop's own.
SmallVector<PHINode *, 4> FurthestIteration::carry(unsigned Distance) {
  SmallVector<PHINode *, 4> Carried;
  IterationValues Values;
  if (Distance == 1) {
    for (PHINode *Phi : Ahead.state())
      Values[Phi] = Phi;
    State = std::move(Values);
    return Carried;
  }
  IRBuilder<> Builder(&*Plan.L->getHeader()->begin());
  auto Carry = [&](Value *&V) {
    PHINode *Phi = Builder.CreatePHI(V->getType(), 2);
    Phi->addIncoming(V, Plan.L->getLoopPreheader());
    Carried.push_back(Phi);
    V = Phi;
  };
  for (PHINode *Phi : Ahead.state())
    Carry(Values[Phi] = State[Phi]);
  State = std::move(Values);
  if (Exists)
    Carry(Exists);
  return Carried;
}

void FurthestIteration::close(ArrayRef<PHINode *> Carried) {
  if (Carried.empty())
    return;
  BasicBlock *Latch = Plan.L->getLoopLatch();
  for (auto [Phi, Carry] : zip_first(Ahead.state(), Carried))
    Carry->addIncoming(State[Phi], Latch);
  if (Carried.size() > Ahead.state().size())
    Carried.back()->addIncoming(Exists, Latch);
}

void FurthestIteration::run(unsigned Distance, function_ref<void(unsigned, Instruction &)> Read) {
  assert(Distance > 0 && "an iteration reads for a later one");
  for (unsigned D = 0; D < Distance; ++D) {
    if (D > 0)
      advance(*Plan.L->getLoopPreheader()->getTerminator());
    Read(D, *Plan.L->getLoopPreheader()->getTerminator());
  }
  SmallVector<PHINode *, 4> Carried = carry(Distance);
  Instruction &Point =
      Plan.Barrier ? *Plan.Barrier->getNextNode() : *Plan.L->getHeader()->getFirstInsertionPt();
  advance(Point);
  Read(Distance, Point);
  close(Carried);
}

} // namespace gpuprune
