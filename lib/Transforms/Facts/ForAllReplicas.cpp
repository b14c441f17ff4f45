//===- ForAllReplicas.cpp - One question for all replicas ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ForAllReplicas.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuprune {

static constexpr StringLiteral ForAllName = "gpuprune.for.all.replicas";

bool isForAllReplicas(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == ForAllName;
}

FunctionCallee forAllReplicas(Module &M) {
  Type *Bool = Type::getInt1Ty(M.getContext());
  FunctionCallee Question = M.getOrInsertFunction(ForAllName, Bool, Bool);
  auto *F = cast<Function>(Question.getCallee());
  F->setDoesNotAccessMemory();
  F->setDoesNotThrow();
  F->setWillReturn();
  return Question;
}

void answerForAllReplicas(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (isForAllReplicas(I)) {
      I.replaceAllUsesWith(I.getOperand(0));
      I.eraseFromParent();
    }
  Function *Question = F.getParent()->getFunction(ForAllName);
  if (Question && Question->use_empty())
    Question->eraseFromParent();
}

} // namespace gpuprune
