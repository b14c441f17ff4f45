//===- FloorFraction.cpp - What a number has behind its floor -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FloorFraction.h"
#include "gpuprune/Transforms/KernelBounds.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuprune {

/// Whether \p V has no flag with which it could have another result.
static bool isExact(const Value &V) {
  const auto *Operation = dyn_cast<FPMathOperator>(&V);
  return Operation && Operation->getFastMathFlags().none();
}

/// Whether integers are converted by another unit than floors. Without a device in \p F: as on newer ones.
static bool convertsElsewhere(const Function &F) {
  static constexpr unsigned FirstWithI2FP = 86;
  unsigned Capability = computeCapability(F);
  return Capability == 0 || Capability >= FirstWithI2FP;
}

static bool isFloor(const CallInst &Call) {
  return Call.getIntrinsicID() == Intrinsic::floor && Call.getType()->isFloatTy() && isExact(Call) &&
         Call.getFunction()->getDenormalMode(APFloat::IEEEsingle()) == DenormalMode::getIEEE();
}

/// Whether \p V is a multiply-add of the product \p X and \p Negated.
static bool addsToProduct(const Value &V, const Value &X, const Value &Negated) {
  const Value *A = nullptr, *B = nullptr;
  return isExact(V) && isExact(X) && match(&X, m_FMul(m_Value(A), m_Value(B))) &&
         (match(&V, m_Intrinsic<Intrinsic::fma>(m_Specific(A), m_Specific(B), m_Specific(&Negated))) ||
          match(&V, m_Intrinsic<Intrinsic::fma>(m_Specific(B), m_Specific(A), m_Specific(&Negated))));
}

/// Appends the sums that \p User, of \p Floor, is or negates it for; whether it is nothing else.
static bool addSums(User &User, const CallInst &Floor, SmallVectorImpl<Instruction *> &Sums) {
  const Value &X = *Floor.getArgOperand(0);
  if (match(&User, m_FSub(m_Specific(&X), m_Specific(&Floor))) && isExact(User)) {
    Sums.push_back(cast<Instruction>(&User));
    return true;
  }
  if (!match(&User, m_FNeg(m_Specific(&Floor))))
    return false;
  for (llvm::User *Sum : User.users()) {
    if (!addsToProduct(*Sum, X, User))
      return false;
    Sums.push_back(cast<Instruction>(Sum));
  }
  return true;
}

/// Whether where \p Floor is executed, \p Conversion is, too, with nothing between that may not return.
static bool alwaysFollows(const Instruction &Conversion, const CallInst &Floor) {
  return Conversion.getParent() == Floor.getParent() &&
         isGuaranteedToTransferExecutionToSuccessor(std::next(Floor.getIterator()), Conversion.getIterator());
}

/// Whether \p Integer is an index of memory that is accessed behind it in its block, whatever it is: not
/// where it is clamped or tested first, as programs do that rely on what the device makes of too large a
/// number.
static bool isIndex(const FPToSIInst &Integer) {
  SmallVector<const Value *, 8> Left{&Integer};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Left.empty()) {
    const Value *V = Left.pop_back_val();
    for (const User *U : V->users()) {
      const auto *I = cast<Instruction>(U);
      if (I->getParent() != Integer.getParent() || !Seen.insert(I).second)
        continue;
      if (getLoadStorePointerOperand(I) == V &&
          isGuaranteedToTransferExecutionToSuccessor(std::next(Integer.getIterator()), I->getIterator()))
        return true;
      if (isa<SExtInst, GetElementPtrInst>(I) ||
          is_contained({Instruction::Add, Instruction::Sub, Instruction::Mul, Instruction::Shl},
                       I->getOpcode()))
        Left.push_back(I);
    }
  }
  return false;
}

std::optional<FloorFraction> floorFraction(CallInst &Call, const DominatorTree &DT) {
  if (!isFloor(Call) || !convertsElsewhere(*Call.getFunction()))
    return std::nullopt;
  SmallVector<FPToSIInst *, 2> Conversions;
  FloorFraction Found{};
  for (User *U : Call.users()) {
    if (auto *Conversion = dyn_cast<FPToSIInst>(U); Conversion && Conversion->getType()->isIntegerTy(32))
      Conversions.push_back(Conversion);
    else if (!addSums(*U, Call, Found.Sums))
      return std::nullopt;
  }
  if (Found.Sums.empty())
    return std::nullopt;
  for (FPToSIInst *Conversion : Conversions) {
    Found.Integer = Conversion;
    Found.Late = !all_of(Found.Sums, [&](Instruction *Sum) { return DT.dominates(Conversion, Sum); });
    if ((!Found.Late || alwaysFollows(*Conversion, Call)) && isIndex(*Conversion) &&
        programUndefinedIfPoison(Conversion))
      return Found;
  }
  return std::nullopt;
}

/// Makes \p Sum one with \p Negated in place of the negated floor.
static void addInstead(Instruction &Sum, Value &Negated) {
  if (auto *MultiplyAdd = dyn_cast<IntrinsicInst>(&Sum)) {
    Value *Before = MultiplyAdd->getArgOperand(2);
    MultiplyAdd->setArgOperand(2, &Negated);
    RecursivelyDeleteTriviallyDeadInstructions(Before);
    return;
  }
  Value *Added = IRBuilder<>(&Sum).CreateFAdd(Sum.getOperand(0), &Negated);
  Added->takeName(&Sum);
  Sum.replaceAllUsesWith(Added);
  Sum.eraseFromParent();
}

void computeFromInteger(const FloorFraction &Fraction) {
  FPToSIInst &Integer = *Fraction.Integer;
  if (Fraction.Late)
    Integer.moveAfter(cast<Instruction>(Integer.getOperand(0)));
  IRBuilder<> B(Integer.getNextNode());
  Value *Negated = B.CreateFSub(ConstantFP::getZero(Integer.getOperand(0)->getType()),
                                B.CreateSIToFP(&Integer, Integer.getOperand(0)->getType()));
  for (Instruction *Sum : Fraction.Sums)
    addInstead(*Sum, *Negated);
}

} // namespace gpuprune
