//===- PinContraction.cpp - Fixes which multiply-adds are fused -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/PinContraction.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace gpuprune {

/// The product \p V where it may be fused into its user.
static BinaryOperator *contractibleProduct(Value *V) {
  auto *Product = dyn_cast<BinaryOperator>(V);
  if (Product && Product->getOpcode() == Instruction::FMul && Product->hasAllowContract())
    return Product;
  return nullptr;
}

static bool isContractibleSum(const Instruction &I) {
  return (I.getOpcode() == Instruction::FAdd || I.getOpcode() == Instruction::FSub) && I.hasAllowContract();
}

/// The fused form of \p Sum, or nullptr where neither operand is a product.
static Value *fuse(BinaryOperator &Sum) {
  bool IsSubtraction = Sum.getOpcode() == Instruction::FSub;
  IRBuilder<> Builder(&Sum);
  Builder.setFastMathFlags(Sum.getFastMathFlags());
  Value *Left = Sum.getOperand(0), *Right = Sum.getOperand(1);
  auto CreateFma = [&](Value *X, Value *Y, Value *Z) {
    return Builder.CreateIntrinsic(Intrinsic::fma, {Sum.getType()}, {X, Y, Z}, nullptr, Sum.getName());
  };
  if (BinaryOperator *Product = contractibleProduct(Left))
    return CreateFma(Product->getOperand(0), Product->getOperand(1),
                     IsSubtraction ? Builder.CreateFNeg(Right) : Right);
  if (BinaryOperator *Product = contractibleProduct(Right)) {
    Value *X = Product->getOperand(0);
    return CreateFma(IsSubtraction ? Builder.CreateFNeg(X) : X, Product->getOperand(1), Left);
  }
  return nullptr;
}

/// llvm.fmuladd leaves the choice to the code generator; this makes it.
static Value *fuseMulAdd(IntrinsicInst &MulAdd) {
  IRBuilder<> Builder(&MulAdd);
  Builder.setFastMathFlags(MulAdd.getFastMathFlags());
  return Builder.CreateIntrinsic(
      Intrinsic::fma, {MulAdd.getType()},
      {MulAdd.getArgOperand(0), MulAdd.getArgOperand(1), MulAdd.getArgOperand(2)}, nullptr, MulAdd.getName());
}

static Value *fusedForm(Instruction &I) {
  if (isContractibleSum(I))
    return fuse(cast<BinaryOperator>(I));
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I))
    if (Intrinsic->getIntrinsicID() == Intrinsic::fmuladd)
      return fuseMulAdd(*Intrinsic);
  return nullptr;
}

bool pinContraction(Function &F) {
  bool Changed = false;
  SmallVector<WeakTrackingVH, 16> Dead;
  for (Instruction &I : instructions(F))
    if (Value *Fused = fusedForm(I)) {
      I.replaceAllUsesWith(Fused);
      Dead.push_back(&I);
      Changed = true;
    }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
  for (Instruction &I : instructions(F))
    if (isa<FPMathOperator>(I) && I.hasAllowContract()) {
      I.setHasAllowContract(false);
      Changed = true;
    }
  return Changed;
}

} // namespace gpuprune
