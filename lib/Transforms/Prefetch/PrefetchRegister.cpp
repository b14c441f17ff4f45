//===- PrefetchRegister.cpp - Values read ahead wait in registers -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FurthestIteration.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;

namespace gpuprune {

using LoadedValues = SmallVector<Value *, 8>; ///< One a load of the plan.

static Value *loadAhead(LoadInst &Load, const LoopAhead &Ahead, IterationValues &Values,
                        IRBuilder<> &Builder) {
  Value *Address = Ahead.evaluate(*Load.getPointerOperand(), Values, Builder);
  auto *Clone = cast<LoadInst>(Load.clone());
  Clone->setOperand(LoadInst::getPointerOperandIndex(), Address);
  Clone->setMetadata(LLVMContext::MD_alias_scope, nullptr);
  Clone->setMetadata(LLVMContext::MD_noalias, nullptr);
  return Builder.Insert(Clone, Load.getName() + ".ahead");
}

/// Makes the loads of \p Group, which have the same conditions.
static void loadGroup(PrefetchPlan &Plan, ArrayRef<size_t> Group, FurthestIteration &Furthest,
                      Instruction &Before, LoadedValues &Loaded) {
  // What is computed under the condition is not for other groups.
  IterationValues Values = Furthest.values();
  Instruction &End = Furthest.guard(Plan.Loads[Group.front()].Conditions, Values, Before);
  IRBuilder<> Inside(&End);
  for (size_t Index : Group)
    Loaded[Index] = loadAhead(*Plan.Loads[Index].Load, *Plan.Ahead, Values, Inside);
  if (&End == &Before)
    return;
  BasicBlock *Guarded = End.getParent();
  IRBuilder<> Behind(&Before);
  for (size_t Index : Group) {
    PHINode *Phi = Behind.CreatePHI(Loaded[Index]->getType(), 2);
    Phi->addIncoming(Loaded[Index], Guarded);
    Phi->addIncoming(PoisonValue::get(Phi->getType()), Guarded->getSinglePredecessor());
    Loaded[Index] = Phi;
  }
}

static LoadedValues loadAll(PrefetchPlan &Plan, FurthestIteration &Furthest, Instruction &Before) {
  LoadedValues Loaded(Plan.Loads.size());
  for (size_t First = 0; First < Loaded.size(); ++First) {
    if (Loaded[First])
      continue;
    SmallVector<size_t, 8> Group;
    for (size_t Index = First; Index < Loaded.size(); ++Index)
      if (Plan.Loads[Index].Conditions == Plan.Loads[First].Conditions)
        Group.push_back(Index);
    loadGroup(Plan, Group, Furthest, Before, Loaded);
  }
  return Loaded;
}

void prefetchToRegisters(PrefetchPlan &Plan, unsigned Distance, DomTreeUpdater &DTU, LoopInfo &LI) {
  SmallVector<LoadedValues, 4> Loaded;
  FurthestIteration Furthest(Plan, DTU, LI);
  Furthest.run(Distance,
               [&](unsigned, Instruction &Before) { Loaded.push_back(loadAll(Plan, Furthest, Before)); });
  // The values of the next D iterations wait, the last for the iteration just read.
  Loop &L = *Plan.L;
  IRBuilder<> Builder(&*L.getHeader()->begin());
  for (auto [Index, A] : enumerate(Plan.Loads)) {
    Value *Later = Loaded[Distance][Index];
    for (unsigned D = Distance; D-- > 0;) {
      PHINode *Waiting = Builder.CreatePHI(A.Load->getType(), 2);
      Waiting->addIncoming(Loaded[D][Index], L.getLoopPreheader());
      Waiting->addIncoming(Later, L.getLoopLatch());
      Later = Waiting;
    }
    A.Load->replaceAllUsesWith(Later);
    A.Load->eraseFromParent();
  }
}

} // namespace gpuprune
