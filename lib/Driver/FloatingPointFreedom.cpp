//===- FloatingPointFreedom.cpp - Where bits may differ -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/FloatingPointFreedom.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gpuprune {

/// "contract" alone is not among them: gpu-prepare pins what is contracted.
static bool leavesBitsOpen(const FastMathFlags &Flags) {
  return Flags.allowReassoc() || Flags.allowReciprocal() || Flags.approxFunc() || Flags.noSignedZeros();
}

/// "rsqrt.approx.ftz.f32" of each such instruction of inline PTX.
static void addApproximate(StringRef Ptx, std::set<std::string> &Found) {
  SmallVector<StringRef> Words;
  SplitString(Ptx, Words, " \t\n\r;{}");
  for (StringRef Word : Words)
    if (Word.contains(".approx") || Word.starts_with("div.full"))
      Found.insert(Word.str());
}

/// LLVM's own operations of single precision and less that PTX has approximations of only.
static bool isApproximated(Intrinsic::ID Operation, const Type &Of) {
  switch (Operation) {
  case Intrinsic::exp2:
  case Intrinsic::log2:
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::tanh:
    return !Of.getScalarType()->isDoubleTy();
  default:
    return false;
  }
}

static void addApproximate(const CallInst &Call, std::set<std::string> &Found) {
  if (const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand()))
    return addApproximate(Asm->getAsmString(), Found);
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isIntrinsic())
    return;
  StringRef Name = Callee->getName();
  Name.consume_front("llvm.");
  Name.consume_front("nvvm.");
  if (Name.contains(".approx") || Name.starts_with("div.full") ||
      isApproximated(Callee->getIntrinsicID(), *Call.getType()))
    Found.insert(Name.str());
}

static bool addsFloatingPoint(const Instruction &I) {
  const auto *Atomic = dyn_cast<AtomicRMWInst>(&I);
  return Atomic &&
         (Atomic->getOperation() == AtomicRMWInst::FAdd || Atomic->getOperation() == AtomicRMWInst::FSub);
}

FloatingPointFreedom floatingPointFreedom(const Module &M) {
  FloatingPointFreedom Found;
  for (const Function &F : M)
    for (const Instruction &I : instructions(F)) {
      // The code generator chooses approximations for what the flags allow.
      if (const auto *Op = dyn_cast<FPMathOperator>(&I); Op && leavesBitsOpen(Op->getFastMathFlags()))
        Found.Approximate.insert("fast-math flags");
      if (addsFloatingPoint(I))
        Found.Approximate.insert("atomic fadd");
      if (const auto *Call = dyn_cast<CallInst>(&I))
        addApproximate(*Call, Found.Approximate);
    }
  Found.BetweenVariants =
      Found.Approximate.contains("fast-math flags") || Found.Approximate.contains("atomic fadd");
  return Found;
}

} // namespace gpuprune
