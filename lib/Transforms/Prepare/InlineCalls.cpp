//===- InlineCalls.cpp - Inlines what the inliner left ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/InlineCalls.h"
#include "Facts/PureFunctions.h"
#include "Kernel/SizeLimit.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace gpuprune {

static Function *calledDefinition(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && !Callee->isDeclaration() && !Callee->isInterposable() ? Callee : nullptr;
}

namespace {

/// Goes once over a function's instructions, those that come in on the way included.
class CallInliner {
public:
  CallInliner(Function &F, PureCalls Pure) : F(F), Pure(Pure), Size(F.getInstructionCount()) {}
  void run();

private:
  /// What does not change while calls of it are inlined.
  struct Definition {
    uint64_t Size; ///< Of the function and all that it calls.
    bool CallsItself;
  };

  Function &F;
  PureCalls Pure;
  uint64_t Size;
  DenseMap<const Function *, Definition> Definitions;

  const Definition &definition(const Function &Callee);
  bool isInlined(const Instruction &I);
  Instruction *inlineCall(CallInst &Call);
};

} // namespace

const CallInliner::Definition &CallInliner::definition(const Function &Callee) {
  auto [Known, IsNew] = Definitions.try_emplace(&Callee, Definition{0, false});
  if (!IsNew)
    return Known->second;
  SetVector<const Function *> Called;
  Called.insert(&Callee);
  for (size_t I = 0; I < Called.size(); ++I)
    for (const Instruction &Inst : instructions(*Called[I])) {
      ++Known->second.Size;
      if (const Function *Next = calledDefinition(Inst)) {
        Known->second.CallsItself |= Next == &Callee;
        Called.insert(Next);
      }
    }
  return Known->second;
}

bool CallInliner::isInlined(const Instruction &I) {
  const Function *Callee = calledDefinition(I);
  if (!Callee || Callee == &F || (Pure == PureCalls::Keep && isPureCall(I)))
    return false;
  const Definition &D = definition(*Callee);
  return !D.CallsItself && Size + D.Size <= LargestBody;
}

/// How many instructions lie between the begin of \p Begin and \p End, in the order of blocks.
static uint64_t countUpTo(BasicBlock::const_iterator Begin, const Instruction &End) {
  const BasicBlock *BB = Begin->getParent();
  uint64_t Count = 0;
  while (BB != End.getParent()) {
    Count += std::distance(Begin, BB->end());
    BB = BB->getNextNode();
    Begin = BB->begin();
  }
  return Count + std::distance(Begin, End.getIterator());
}

/// Returns the first instruction that now stands where \p Call stood.
Instruction *CallInliner::inlineCall(CallInst &Call) {
  BasicBlock *BB = Call.getParent();
  Instruction *Before = Call.getPrevNode();
  Instruction *Behind = Call.getNextNode();
  InlineFunctionInfo Info;
  if (Call.isMustTailCall() || !InlineFunction(Call, Info).isSuccess())
    return Behind;
  Instruction *First = Before ? Before->getNextNode() : &BB->front();
  // The call itself has gone.
  Size += countUpTo(First->getIterator(), *Behind) + Info.StaticAllocas.size() - 1;
  return First;
}

void CallInliner::run() {
  for (Instruction *I = &F.getEntryBlock().front(); I;) {
    if (isInlined(*I)) {
      I = inlineCall(cast<CallInst>(*I));
      continue;
    }
    const BasicBlock *NextBlock = I->getParent()->getNextNode();
    Instruction *Next = I->getNextNode();
    I = Next || !NextBlock ? Next : const_cast<Instruction *>(&NextBlock->front());
  }
}

void inlineCalls(Function &F, PureCalls Pure) { CallInliner(F, Pure).run(); }

} // namespace gpuprune
