//===- FloatingPointFreedom.cpp - Where bits may differ -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/FloatingPointFreedom.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gpuprune {

/// "contract" alone is not among them: gpu-prepare pins what is contracted.
static bool leavesBitsOpen(const FastMathFlags &Flags) {
  return Flags.allowReassoc() || Flags.allowReciprocal() || Flags.approxFunc() || Flags.noSignedZeros();
}

static bool isApproximate(const CallInst &Call) {
  if (const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand()))
    return Asm->getAsmString().contains(".approx");
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isIntrinsic() && Callee->getName().contains(".approx");
}

FloatingPointFreedom floatingPointFreedom(const Module &M) {
  FloatingPointFreedom Found;
  for (const Function &F : M)
    for (const Instruction &I : instructions(F)) {
      if (const auto *Op = dyn_cast<FPMathOperator>(&I); Op && leavesBitsOpen(Op->getFastMathFlags()))
        Found.BetweenVariants = true;
      if (const auto *Call = dyn_cast<CallInst>(&I); Call && isApproximate(*Call))
        Found.BetweenMachines = true;
    }
  // The code generator chooses approximations for what the flags allow.
  Found.BetweenMachines |= Found.BetweenVariants;
  return Found;
}

} // namespace gpuprune
