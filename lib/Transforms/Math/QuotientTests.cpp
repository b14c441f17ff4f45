//===- QuotientTests.cpp - Comparisons of a quotient with one ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "QuotientTests.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuprune {

/// An operation as it stands, rounded to the nearest.
static bool isExactOperation(const Value *V) {
  const auto *I = dyn_cast<Instruction>(V);
  return I && isa<FPMathOperator>(I) && I->getFastMathFlags().none() &&
         !I->hasMetadata(LLVMContext::MD_fpmath);
}

/// Whether \p V is a zero of either sign or greater, or no number, where \p At is executed.
static bool isZeroOrMore(const Value &V, const Instruction &At, FloatRanges &Ranges) {
  ConstantFPRange R = Ranges.at(V, At);
  return !R.isNaNOnly() && !R.isEmptySet() && (R.getLower().isZero() || !R.getLower().isNegative());
}

/// Whether \p V cannot be -0. A sum is only where both of its operands are; a multiply-add is also where it
/// is less than zero by too little for a number.
static bool isNeverMinusZero(const Value &V, const Instruction &At, FloatRanges &Ranges, unsigned Depth = 0) {
  static constexpr unsigned MostDepth = 4;
  if (const auto *Constant = dyn_cast<ConstantFP>(&V))
    return !Constant->getValueAPF().isNegZero();
  if (isa<SIToFPInst, UIToFPInst>(V))
    return true;
  if (Depth == MostDepth || !isExactOperation(&V))
    return false;
  const Value *A = nullptr, *B = nullptr;
  if (match(&V, m_FMul(m_Value(A), m_Deferred(A))) || match(&V, m_FAbs(m_Value())))
    return true;
  if (match(&V, m_FAdd(m_Value(A), m_Value(B))))
    return isNeverMinusZero(*A, At, Ranges, Depth + 1) || isNeverMinusZero(*B, At, Ranges, Depth + 1);
  return match(&V, m_Intrinsic<Intrinsic::fma>(m_Value(A), m_Deferred(A), m_Value(B))) &&
         isZeroOrMore(*B, At, Ranges);
}

/// Whether \p V is +0 or greater, or no number, where \p At is executed.
static bool isNeverNegative(const Value &V, const Instruction &At, FloatRanges &Ranges) {
  return isZeroOrMore(V, At, Ranges) &&
         (!Ranges.at(V, At).getLower().isZero() || isNeverMinusZero(V, At, Ranges));
}

/// Whether \p Numerator may be the negative infinity where \p Denominator is the positive one.
static bool mayBothBeInfinite(const Value &Numerator, const Value &Denominator, const Instruction &At,
                              FloatRanges &Ranges) {
  return Ranges.at(Numerator, At).getLower().isNegInfinity() &&
         Ranges.at(Denominator, At).getUpper().isPosInfinity();
}

/// The quotient that \p Left is compared as, with one; \p Predicate becomes that of the quotient.
static Value *comparedQuotient(Value *Left, Value *Right, CmpInst::Predicate &Predicate) {
  Value *Quotient = nullptr;
  if (match(Right, m_FPOne()))
    return Left;
  if (!match(Right, m_AnyZeroFP()) || !isExactOperation(Left))
    return nullptr;
  if (match(Left, m_FSub(m_Value(Quotient), m_FPOne())) ||
      match(Left, m_FAdd(m_Value(Quotient), m_SpecificFP(-1.0))))
    return Quotient;
  if (!match(Left, m_FSub(m_FPOne(), m_Value(Quotient))))
    return nullptr;
  Predicate = CmpInst::getSwappedPredicate(Predicate);
  return Quotient;
}

std::optional<QuotientTest> quotientTest(const FCmpInst &Compare, FloatRanges &Ranges) {
  Value *Left = Compare.getOperand(0), *Right = Compare.getOperand(1);
  if (!(Left->getType()->isFloatTy() || Left->getType()->isDoubleTy()) || Compare.getFastMathFlags().any())
    return std::nullopt;
  CmpInst::Predicate Predicate = Compare.getPredicate();
  Value *Quotient = comparedQuotient(Left, Right, Predicate);
  Value *Numerator = nullptr, *Denominator = nullptr;
  if (!Quotient || !isExactOperation(Quotient) ||
      !match(Quotient, m_FDiv(m_Value(Numerator), m_Value(Denominator))))
    return std::nullopt;
  bool IsGreater = Predicate == CmpInst::FCMP_OGT || Predicate == CmpInst::FCMP_ULE; // Or not.
  bool IsLess = Predicate == CmpInst::FCMP_OLT || Predicate == CmpInst::FCMP_UGE;
  if (!(IsGreater || IsLess) || !isNeverNegative(*Denominator, Compare, Ranges) ||
      (IsLess && mayBothBeInfinite(*Numerator, *Denominator, Compare, Ranges)))
    return std::nullopt;
  return QuotientTest{Predicate, Numerator, Denominator};
}

} // namespace gpuprune
