//===- TimeDependence.cpp - Whether a kernel's time depends on its data ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/TimeDependence.h"
#include "DataFlow.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuprune {

static bool takesFixedTime(const IntrinsicInst &Call) {
  if (Call.isAssumeLikeIntrinsic())
    return true;
  switch (Call.getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::fabs:
  case Intrinsic::copysign:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::abs:
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::ctpop:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
  case Intrinsic::bswap:
  case Intrinsic::bitreverse:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
    return true;
  default:
    return false;
  }
}

static bool takesFixedTime(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
  case Instruction::FDiv:
  case Instruction::FRem:
    return false;
  case Instruction::FNeg:
  case Instruction::PHI:
  case Instruction::GetElementPtr:
  case Instruction::Load:
  case Instruction::Store:
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
  case Instruction::Freeze:
    return true;
  default:
    break;
  }
  if (const auto *Call = dyn_cast<IntrinsicInst>(&I))
    return takesFixedTime(*Call);
  return isa<BinaryOperator, CastInst, CmpInst>(I);
}

static bool isAddress(const Value &V) {
  return any_of(V.users(), [&](const User *U) { return getLoadStorePointerOperand(U) == &V; });
}

/// What of \p Node takes a time that depends on the operands; empty where nothing does.
static std::string dependentPart(const FlowNode &Node) {
  if (Node.IsMemory || !Node.V)
    return "";
  if (const auto *I = dyn_cast<Instruction>(Node.V); I && !takesFixedTime(*I))
    return I->getOpcodeName();
  return isAddress(*Node.V) ? "an address" : "";
}

static std::string firstDependent(const FlowNode &Memory) {
  SmallPtrSet<const FlowNode *, 32> Reached = {&Memory};
  SmallVector<const FlowNode *, 32> Worklist = {&Memory};
  while (!Worklist.empty()) {
    const FlowNode &Node = *Worklist.pop_back_val();
    if (std::string Part = dependentPart(Node); !Part.empty())
      return Part;
    for (const FlowNode *Next : Node.Next)
      if (Reached.insert(Next).second)
        Worklist.push_back(Next);
  }
  return "";
}

/// Whether the store, or what is like one, \p I may write what \p A points to.
static bool mayWrite(const Instruction &I, const Argument &A) {
  const Value *Pointer = getLoadStorePointerOperand(&I);
  if (const auto *Update = dyn_cast<AtomicRMWInst>(&I))
    Pointer = Update->getPointerOperand();
  else if (const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    Pointer = Exchange->getPointerOperand();
  else if (const auto *Copy = dyn_cast<MemIntrinsic>(&I))
    Pointer = Copy->getDest();
  else if (const auto *Call = dyn_cast<IntrinsicInst>(&I))
    return any_of(Call->args(), [](const Use &Each) { return Each->getType()->isPointerTy(); });
  if (!Pointer)
    return !isa<FenceInst>(I);
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects);
  return any_of(Objects, [&](const Value *Object) {
    return Object == &A || !isa<Argument, GlobalVariable, AllocaInst>(Object);
  });
}

static bool mayWrite(const Function &Kernel, const Argument &A) {
  return any_of(instructions(Kernel),
                [&](const Instruction &I) { return I.mayWriteToMemory() && mayWrite(I, A); });
}

std::vector<std::string> timeDependence(const Function &Kernel) {
  std::vector<std::string> Found(Kernel.arg_size());
  DataFlow Flow(Kernel);
  for (const Argument &A : Kernel.args())
    if (A.getType()->isPointerTy() && mayWrite(Kernel, A))
      Found[A.getArgNo()] = firstDependent(Flow.memoryOf(A));
  return Found;
}

} // namespace gpuprune
