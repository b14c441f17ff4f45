//===- PureFunctions.cpp - Functions that only compute ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PureFunctions.h"
#include "PureAssembly.h"
#include "gpuprune/Analysis/DeviceOperations.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuprune {

static constexpr StringLiteral PureAttribute = "gpuprune-pure";

bool isPureCall(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->hasFnAttribute(PureAttribute) && !Call->cannotDuplicate() &&
         !Call->isMustTailCall();
}

/// Special registers tell threads apart, or when they run; other operations of the device are made by
/// several threads.
static bool isPureIntrinsic(const IntrinsicInst &I) {
  return I.doesNotAccessMemory() && !I.isConvergent() && !I.cannotDuplicate() && !classify(I);
}

namespace {

class PureFunctionFinder {
public:
  bool isPure(const Function &F);

private:
  DenseMap<const Function *, bool> Known; ///< False, too, for what is being looked at: recursion.

  bool isPureInstruction(const Instruction &I);
};

} // namespace

bool PureFunctionFinder::isPureInstruction(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return !I.mayReadOrWriteMemory() && !isa<AllocaInst>(I);
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(Call))
    return isPureIntrinsic(*Intrinsic);
  if (Call->isInlineAsm())
    return isPureAssembly(*Call);
  const Function *Callee = Call->getCalledFunction();
  return Callee && isa<CallInst>(Call) && isPure(*Callee);
}

bool PureFunctionFinder::isPure(const Function &F) {
  auto [Entry, IsNew] = Known.try_emplace(&F, false);
  if (!IsNew || F.isDeclaration() || F.isInterposable() || F.getCallingConv() == CallingConv::PTX_Kernel)
    return Entry->second;
  bool Pure = all_of(instructions(F), [this](const Instruction &I) { return isPureInstruction(I); });
  return Known[&F] = Pure;
}

void markPureFunctions(Module &M) {
  PureFunctionFinder Finder;
  for (Function &F : M) {
    if (!Finder.isPure(F))
      continue;
    F.addFnAttr(PureAttribute);
    F.setNotConvergent();
    F.setDoesNotAccessMemory();
    for (User *U : F.users())
      if (auto *Call = dyn_cast<CallInst>(U); Call && Call->getCalledFunction() == &F)
        Call->setNotConvergent();
  }
}

} // namespace gpuprune
