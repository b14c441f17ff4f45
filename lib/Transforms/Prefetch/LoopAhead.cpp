//===- LoopAhead.cpp - What a loop will compute in a later iteration --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LoopAhead.h"
#include "Facts/PureAssembly.h"
#include "Facts/PureFunctions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace gpuprune {

LoopAhead::LoopAhead(Loop &L, const DominatorTree &DT, InvariantCheck IsInvariant)
    : L(L), DT(DT), IsInvariant(std::move(IsInvariant)) {
  assert(L.getLoopPreheader() && L.getLoopLatch() && "planPrefetch refuses other loops");
}

/// The blocks of \p L that can follow \p From, itself among them, in the same
/// iteration and without passing \p Without. \p Leaves: whether that way the iteration ends.
static SmallPtrSet<BasicBlock *, 16> blocksAfter(BasicBlock &From, const Loop &L, const BasicBlock *Without,
                                                 bool &Leaves) {
  SmallPtrSet<BasicBlock *, 16> Seen;
  SmallVector<BasicBlock *, 16> Worklist{&From};
  Leaves = false;
  while (!Worklist.empty()) {
    BasicBlock *BB = Worklist.pop_back_val();
    if (BB == Without)
      continue;
    if (!L.contains(BB) || BB == L.getHeader())
      Leaves = true;
    else if (Seen.insert(BB).second)
      append_range(Worklist, successors(BB));
  }
  return Seen;
}

/// Adds to \p Conditions what must hold in \p Above, which dominates \p Below, for Below to follow.
static bool addConditions(BasicBlock &Above, const BasicBlock &Below, const Loop &L,
                          PathConditions &Conditions) {
  SmallVector<BasicBlock *, 2> Certain, Never;
  for (BasicBlock *Next : successors(&Above)) {
    bool Leaves = false;
    blocksAfter(*Next, L, &Below, Leaves);
    if (!Leaves)
      Certain.push_back(Next);
    else if (!blocksAfter(*Next, L, nullptr, Leaves).contains(&Below))
      Never.push_back(Next);
  }
  if (Certain.size() == succ_size(&Above))
    return true;
  auto *Branch = dyn_cast<BranchInst>(Above.getTerminator());
  if (!Branch || Certain.size() != 1 || Never.size() != 1)
    return false;
  Conditions.push_back({Branch->getCondition(), Branch->getSuccessor(0) == Certain.front()});
  return true;
}

std::optional<PathConditions> LoopAhead::conditionsOf(BasicBlock &Block) const {
  assert(L.contains(&Block) && "the way to it begins at the loop's header");
  PathConditions Conditions;
  for (BasicBlock *Below = &Block; Below != L.getHeader();) {
    BasicBlock *Above = DT.getNode(Below)->getIDom()->getBlock();
    if (!addConditions(*Above, *Below, L, Conditions))
      return std::nullopt;
    Below = Above;
  }
  std::reverse(Conditions.begin(), Conditions.end());
  return Conditions;
}

std::optional<PathConditions> LoopAhead::conditionsOfNext() const {
  BasicBlock *Latch = L.getLoopLatch();
  std::optional<PathConditions> Conditions = conditionsOf(*Latch);
  auto *Branch = dyn_cast<BranchInst>(Latch->getTerminator());
  if (!Branch || !Conditions)
    return std::nullopt;
  if (Branch->isConditional() && Branch->getSuccessor(0) != Branch->getSuccessor(1))
    Conditions->push_back({Branch->getCondition(), Branch->getSuccessor(0) == L.getHeader()});
  return Conditions;
}

/// Whether the same operands give the same result wherever \p I stands. A freeze may
/// choose anew.
static bool isComputation(const Instruction &I, bool Speculated) {
  if (I.isTerminator() || I.mayReadOrWriteMemory() || I.mayHaveSideEffects() ||
      isa<FreezeInst, AllocaInst>(I) || I.getType()->isTokenTy())
    return false;
  if (const auto *Call = dyn_cast<CallBase>(&I);
      Call &&
      (Call->isConvergent() || !(isa<IntrinsicInst>(Call) || isPureAssembly(*Call) || isPureCall(*Call))))
    return false;
  return !Speculated || isSafeToSpeculativelyExecuteWithVariableReplaced(&I);
}

Instruction *LoopAhead::require(Value &V, bool Speculated) {
  SmallVector<std::pair<Value *, bool>, 16> Worklist{{&V, Speculated}};
  DenseMap<Instruction *, bool> Found;
  SmallVector<PHINode *, 4> Phis;
  SmallVector<LoadInst *, 2> Loads;
  while (!Worklist.empty()) {
    auto [Needed, Safe] = Worklist.pop_back_val();
    auto *I = dyn_cast<Instruction>(Needed);
    auto IsIn = [&](const DenseMap<Instruction *, bool> &Map) {
      auto It = Map.find(I);
      return It != Map.end() && (It->second || !Safe);
    };
    if (!I || !L.contains(I) || IsIn(Known) || IsIn(Found))
      continue;
    if (auto *Phi = dyn_cast<PHINode>(I)) {
      if (Phi->getParent() != L.getHeader())
        return I;
      Found[I] = true;
      Phis.push_back(Phi);
      Worklist.push_back({Phi->getIncomingValueForBlock(L.getLoopLatch()), true});
      continue;
    }
    if (auto *Load = dyn_cast<LoadInst>(I); Load && IsInvariant && IsInvariant(*Load)) {
      Found[I] = true;
      Loads.push_back(Load);
      continue;
    }
    if (!isComputation(*I, Safe))
      return I;
    Found[I] = Safe;
    for (Value *Operand : I->operands())
      Worklist.push_back({Operand, Safe});
  }
  State.insert_range(Phis);
  Invariants.insert_range(Loads);
  for (auto [I, Safe] : Found)
    Known[I] |= Safe;
  return nullptr;
}

bool LoopAhead::changes(Value &V) const {
  SmallVector<Value *, 16> Worklist{&V};
  SmallPtrSet<Value *, 16> Seen;
  while (!Worklist.empty()) {
    auto *I = dyn_cast<Instruction>(Worklist.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    if (isa<PHINode>(I))
      return true;
    append_range(Worklist, I->operands());
  }
  return false;
}

void LoopAhead::hoistInvariants() {
  Instruction *Before = L.getLoopPreheader()->getTerminator();
  SmallVector<Instruction *, 8> Stack(Invariants.begin(), Invariants.end());
  while (!Stack.empty()) {
    Instruction *I = Stack.back();
    size_t Size = Stack.size();
    for (Value *Operand : I->operands())
      if (auto *Needed = dyn_cast<Instruction>(Operand); Needed && L.contains(Needed))
        Stack.push_back(Needed);
    if (Stack.size() > Size)
      continue;
    if (L.contains(I))
      I->moveBefore(Before->getIterator());
    Stack.pop_back();
  }
}

static Instruction *cloneWith(const Instruction &I, const IterationValues &Values) {
  Instruction *Clone = I.clone();
  for (Use &Operand : Clone->operands())
    if (Value *Known = Values.lookup(Operand.get()))
      Operand.set(Known);
  Clone->dropPoisonGeneratingAnnotations();
  return Clone;
}

Value *LoopAhead::evaluate(Value &V, IterationValues &Values, IRBuilder<> &Builder) const {
  auto IsMissing = [&](const Value *Needed) {
    const auto *I = dyn_cast<Instruction>(Needed);
    return I && L.contains(I) && !Values.contains(I);
  };
  SmallVector<Value *, 16> Stack{&V};
  while (!Stack.empty()) {
    if (!IsMissing(Stack.back())) {
      Stack.pop_back();
      continue;
    }
    auto *I = cast<Instruction>(Stack.back());
    assert(!isa<PHINode>(I) && "a state that is not carried, or a value that require() does not know");
    size_t Size = Stack.size();
    copy_if(I->operands(), std::back_inserter(Stack), IsMissing);
    if (Stack.size() == Size)
      Values[I] = Builder.Insert(cloneWith(*I, Values), I->getName() + ".ahead");
  }
  Value *Known = Values.lookup(&V);
  return Known ? Known : &V;
}

Value *LoopAhead::evaluate(Value *Before, ArrayRef<PathCondition> Conditions, IterationValues &Values,
                           IRBuilder<> &Builder) const {
  for (const PathCondition &C : Conditions) {
    Value *Holds = evaluate(*C.Condition, Values, Builder);
    if (!C.Expected)
      Holds = Builder.CreateNot(Holds);
    // A later condition may be poison where an earlier one does not hold.
    Before = Before ? Builder.CreateLogicalAnd(Before, Holds) : Holds;
  }
  return Before;
}

IterationValues LoopAhead::first() const {
  IterationValues Values;
  for (PHINode *Phi : State)
    Values[Phi] = Phi->getIncomingValueForBlock(L.getLoopPreheader());
  return Values;
}

IterationValues LoopAhead::next(IterationValues &Values, IRBuilder<> &Builder) const {
  IterationValues Next;
  for (PHINode *Phi : State)
    Next[Phi] = evaluate(*Phi->getIncomingValueForBlock(L.getLoopLatch()), Values, Builder);
  return Next;
}

} // namespace gpuprune
