//===- PinContraction.cpp - Fixes which multiply-adds are fused -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/PinContraction.h"
#include "gpuprune/Transforms/Kernels.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuprune {

namespace {

/// A product in the form that a multiply-add takes it.
struct Product {
  Value *X, *Y;
};

} // namespace

static BinaryOperator *asProduct(Value *V) {
  auto *Operator = dyn_cast<BinaryOperator>(V);
  return Operator && Operator->getOpcode() == Instruction::FMul ? Operator : nullptr;
}

static bool isSum(const Instruction &I) {
  return I.getOpcode() == Instruction::FAdd || I.getOpcode() == Instruction::FSub;
}

/// \p V where it is a product, or a negated one, that may be fused into its user.
static std::optional<Product> contractibleProduct(Value *V, IRBuilder<> &Builder) {
  Value *Negated = nullptr;
  BinaryOperator *P = asProduct(match(V, m_FNeg(m_Value(Negated))) ? Negated : V);
  if (!P || !P->hasAllowContract())
    return std::nullopt;
  Value *X = P->getOperand(0);
  return Product{Negated ? Builder.CreateFNeg(X) : X, P->getOperand(1)};
}

/// The fused form of \p Sum, or nullptr where neither operand is a product.
static Value *fuse(Instruction &Sum) {
  bool IsSubtraction = Sum.getOpcode() == Instruction::FSub;
  IRBuilder<> Builder(&Sum);
  Builder.setFastMathFlags(Sum.getFastMathFlags());
  Value *Left = Sum.getOperand(0), *Right = Sum.getOperand(1);
  auto CreateFma = [&](Value *X, Value *Y, Value *Z) {
    return Builder.CreateIntrinsic(Intrinsic::fma, {Sum.getType()}, {X, Y, Z}, nullptr, Sum.getName());
  };
  if (auto P = contractibleProduct(Left, Builder))
    return CreateFma(P->X, P->Y, IsSubtraction ? Builder.CreateFNeg(Right) : Right);
  if (auto P = contractibleProduct(Right, Builder))
    return CreateFma(IsSubtraction ? Builder.CreateFNeg(P->X) : P->X, P->Y, Left);
  return nullptr;
}

/// llvm.fmuladd leaves the choice to the code generator; this makes it.
static Value *fuseMulAdd(IntrinsicInst &MulAdd) {
  IRBuilder<> Builder(&MulAdd);
  Builder.setFastMathFlags(MulAdd.getFastMathFlags());
  return Builder.CreateIntrinsic(Intrinsic::fma, {MulAdd.getType()},
                                 {MulAdd.getArgOperand(0), MulAdd.getArgOperand(1), MulAdd.getArgOperand(2)},
                                 nullptr, MulAdd.getName());
}

static Value *fusedForm(Instruction &I) {
  if (isSum(I) && I.hasAllowContract())
    return fuse(I);
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

/// llvm.nvvm.mul.rn for the type of \p P, which neither LLVM nor ptxas fuses.
static Intrinsic::ID roundedProduct(const BinaryOperator &P) {
  if (P.getType()->isDoubleTy())
    return Intrinsic::nvvm_mul_rn_d;
  if (!P.getType()->isFloatTy())
    return Intrinsic::not_intrinsic;
  bool FlushesDenormals =
      P.getFunction()->getDenormalMode(APFloat::IEEEsingle()).Output == DenormalMode::PreserveSign;
  return FlushesDenormals ? Intrinsic::nvvm_mul_rn_ftz_f : Intrinsic::nvvm_mul_rn_f;
}

/// Whether the code generator would make \p User, which \p P or its negation
/// feeds, a multiply-add: a sum, or a doubling, which becomes one.
static bool wouldFuse(const User *User) {
  const auto *I = cast<Instruction>(User);
  return isSum(*I) || match(I, m_FMul(m_Value(), m_SpecificFP(2.0)));
}

static bool feedsSum(const BinaryOperator &P) {
  return any_of(P.users(), [](const User *U) {
    return wouldFuse(U) || (match(U, m_FNeg(m_Value())) && any_of(U->users(), wouldFuse));
  });
}

bool sealProducts(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    BinaryOperator *P = asProduct(&I);
    Intrinsic::ID Rounded = P && feedsSum(*P) ? roundedProduct(*P) : Intrinsic::not_intrinsic;
    if (Rounded == Intrinsic::not_intrinsic)
      continue;
    Value *Sealed = IRBuilder<>(P).CreateIntrinsic(
        P->getType(), Rounded, {P->getOperand(0), P->getOperand(1)}, nullptr, P->getName());
    P->replaceAllUsesWith(Sealed);
    P->eraseFromParent();
    Changed = true;
  }
  return Changed;
}

PreservedAnalyses SealProductsPass::run(Function &F, FunctionAnalysisManager &) {
  if (!isDeviceModule(*F.getParent()) || !sealProducts(F))
    return PreservedAnalyses::all();
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

} // namespace gpuprune
