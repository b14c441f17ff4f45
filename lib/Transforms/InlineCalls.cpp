//===- InlineCalls.cpp - Inlines what the inliner left ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "InlineCalls.h"
#include "SizeLimit.h"
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

/// Whether \p F may call itself; how large it is with all that it calls is added to \p Size.
static bool callsItself(const Function &F, uint64_t &Size) {
  SetVector<const Function *> Called;
  Called.insert(&F);
  bool Again = false;
  for (size_t I = 0; I < Called.size(); ++I)
    for (const Instruction &Inst : instructions(*Called[I])) {
      ++Size;
      if (const Function *Callee = calledDefinition(Inst)) {
        Again |= Callee == &F;
        Called.insert(Callee);
      }
    }
  return Again;
}

static CallInst *nextCall(Function &F) {
  for (Instruction &I : instructions(F)) {
    const Function *Callee = calledDefinition(I);
    uint64_t Size = F.getInstructionCount();
    if (Callee && Callee != &F && !callsItself(*Callee, Size) && Size <= LargestBody)
      return cast<CallInst>(&I);
  }
  return nullptr;
}

void inlineCalls(Function &F) {
  while (CallInst *Call = nextCall(F)) {
    InlineFunctionInfo Info;
    if (!InlineFunction(*Call, Info).isSuccess())
      return;
  }
}

} // namespace gpuprune
