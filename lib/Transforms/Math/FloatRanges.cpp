//===- FloatRanges.cpp - Between which bounds floating-point values lie ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FloatRanges.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuprune {

/// Operands looked behind, and steps one question may take.
static constexpr unsigned MostDepth = 16, MostSteps = 512;

static constexpr auto Nearest = APFloat::rmNearestTiesToEven;

static bool isKnownType(const Type &T) { return T.isFloatTy() || T.isDoubleTy(); }

static ConstantFPRange full(const Value &V) {
  return ConstantFPRange::getFull(V.getType()->getFltSemantics());
}

/// Whether the optimiser may compute something else in place of \p I.
static bool isLoose(const Instruction &I) {
  const auto *Operation = dyn_cast<FPMathOperator>(&I);
  return Operation && (Operation->hasAllowReassoc() || Operation->hasAllowContract() ||
                       Operation->hasAllowReciprocal() || Operation->hasApproxFunc());
}

static ConstantFPRange between(const APFloat &Low, const APFloat &High, bool OrNaN) {
  return OrNaN ? ConstantFPRange::getMayBeNaN(Low, High) : ConstantFPRange::getNonNaN(Low, High);
}

static ConstantFPRange notNegative(const fltSemantics &Sem, bool OrNaN) {
  return between(APFloat::getZero(Sem), APFloat::getInf(Sem), OrNaN);
}

static ConstantFPRange normal(const fltSemantics &Sem) {
  return ConstantFPRange::getNonNaN(APFloat::getSmallestNormalized(Sem), APFloat::getLargest(Sem));
}

/// Whether there is a number in \p R, not only NaN or nothing.
static bool hasNumbers(const ConstantFPRange &R) { return !R.isNaNOnly() && !R.isEmptySet(); }

static bool mayBeInfinite(const ConstantFPRange &R) {
  return R.getLower().isInfinity() || R.getUpper().isInfinity();
}

/// With both zeros where it has one, and all NaN where it has any: which of them an operation results in is
/// of no interest, but for what is divided by a zero.
static ConstantFPRange withoutDistinctions(const ConstantFPRange &R) {
  const fltSemantics &Sem = R.getLower().getSemantics();
  if (!hasNumbers(R))
    return R.isEmptySet() ? R : ConstantFPRange::getNaNOnly(Sem, true, true);
  APFloat Low = R.getLower().isZero() ? APFloat::getZero(Sem, /*Negative=*/true) : R.getLower();
  APFloat High = R.getUpper().isZero() ? APFloat::getZero(Sem) : R.getUpper();
  return between(Low, High, R.containsNaN());
}

static bool isNegative(const APFloat &Number) { return Number.isNegative() && !Number.isZero(); }

FloatRanges::FloatRanges(const Function &F, const DominatorTree &DT)
    : DT(DT), KeepsSubnormals(F.getDenormalMode(APFloat::IEEEsingle()) == DenormalMode::getIEEE() &&
                              F.getDenormalMode(APFloat::IEEEdouble()) == DenormalMode::getIEEE()) {}

ConstantFPRange FloatRanges::at(const Value &V, const Instruction &At) {
  StepsLeft = MostSteps;
  return of(V, At, 0);
}

ConstantFPRange FloatRanges::of(const Value &V, const Instruction &At, unsigned Depth) {
  if (const auto *Constant = dyn_cast<ConstantFP>(&V))
    return Range(Constant->getValueAPF());
  if (!KeepsSubnormals || !isKnownType(*V.getType()) || StepsLeft == 0 || Depth == MostDepth)
    return full(V);
  --StepsLeft;
  if (const auto *A = dyn_cast<Argument>(&V); A && Normal.contains(A))
    return normal(V.getType()->getFltSemantics());
  const auto *I = dyn_cast<Instruction>(&V);
  Range Known = I && !isLoose(*I) ? ofInstruction(*I, At, Depth + 1) : full(V);
  return withoutDistinctions(behindBranches(V, At, Known));
}

/// The range of an integer that is converted.
static ConstantFPRange converted(const Instruction &Conversion, bool IsSigned, const fltSemantics &Sem) {
  ConstantRange Integers = computeConstantRange(Conversion.getOperand(0), IsSigned, /*UseInstrInfo=*/true);
  if (Integers.isEmptySet())
    return ConstantFPRange::getFull(Sem);
  APFloat Low(Sem), High(Sem);
  Low.convertFromAPInt(IsSigned ? Integers.getSignedMin() : Integers.getUnsignedMin(), IsSigned, Nearest);
  High.convertFromAPInt(IsSigned ? Integers.getSignedMax() : Integers.getUnsignedMax(), IsSigned, Nearest);
  return ConstantFPRange::getNonNaN(Low, High);
}

ConstantFPRange FloatRanges::ofInstruction(const Instruction &I, const Instruction &At, unsigned Depth) {
  auto Operand = [&](unsigned Index) { return of(*I.getOperand(Index), At, Depth); };
  const fltSemantics &Sem = I.getType()->getFltSemantics();
  switch (I.getOpcode()) {
  case Instruction::FAdd:
    return Operand(0).add(Operand(1));
  case Instruction::FSub:
    return Operand(0).sub(Operand(1));
  case Instruction::FMul:
    return I.getOperand(0) == I.getOperand(1) ? ofSquare(*I.getOperand(0), At, Depth)
                                              : Operand(0).mul(Operand(1));
  case Instruction::FDiv:
    return Operand(0).div(Operand(1));
  case Instruction::FNeg:
    return Operand(0).negate();
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return isKnownType(*I.getOperand(0)->getType()) ? Operand(0).cast(Sem, Nearest) : full(I);
  case Instruction::UIToFP:
  case Instruction::SIToFP:
    return converted(I, I.getOpcode() == Instruction::SIToFP, Sem);
  case Instruction::Select:
    return ofSelect(cast<SelectInst>(I), At, Depth);
  case Instruction::PHI:
    return ofPhi(cast<PHINode>(I), Depth);
  case Instruction::Call:
    return ofCall(cast<CallInst>(I), At, Depth);
  default:
    return full(I);
  }
}

/// A square is at least zero, whatever else is known.
ConstantFPRange FloatRanges::ofSquare(const Value &Base, const Instruction &At, unsigned Depth) {
  Range Magnitude = of(Base, At, Depth).abs();
  if (!hasNumbers(Magnitude))
    return full(Base);
  auto Squared = [](const APFloat &Number) {
    APFloat Result = Number;
    Result.multiply(Number, Nearest);
    return Result;
  };
  return between(Squared(Magnitude.getLower()), Squared(Magnitude.getUpper()), Magnitude.containsNaN());
}

/// The product of \p A and \p B, rounded outwards; zero where one is zero and the other has no end.
static APFloat product(const APFloat &A, const APFloat &B, RoundingMode Outwards) {
  APFloat Result = A;
  Result.multiply(B, Outwards);
  return Result.isNaN() ? APFloat::getZero(A.getSemantics()) : Result;
}

/// What a multiply-add, which rounds once, may be.
static ConstantFPRange multiplyAdd(const ConstantFPRange &A, const ConstantFPRange &B,
                                   const ConstantFPRange &C, bool IsSquare) {
  const fltSemantics &Sem = A.getLower().getSemantics();
  if (!hasNumbers(A) || !hasNumbers(B) || !hasNumbers(C))
    return ConstantFPRange::getFull(Sem);
  const APFloat *Corners[][2] = {{&A.getLower(), &B.getLower()},
                                 {&A.getLower(), &B.getUpper()},
                                 {&A.getUpper(), &B.getLower()},
                                 {&A.getUpper(), &B.getUpper()}};
  APFloat Low = APFloat::getInf(Sem), High = APFloat::getInf(Sem, /*Negative=*/true);
  for (auto &[X, Y] : Corners) {
    Low = minnum(Low, product(*X, *Y, APFloat::rmTowardNegative));
    High = maxnum(High, product(*X, *Y, APFloat::rmTowardPositive));
  }
  bool OrNaN = A.containsNaN() || B.containsNaN() || C.containsNaN() ||
               (!IsSquare && (mayBeInfinite(A) || mayBeInfinite(B))); // Zero times infinity.
  if (IsSquare && isNegative(Low))
    Low = APFloat::getZero(Sem);
  OrNaN |= (High.isPosInfinity() && C.getLower().isNegInfinity()) ||
           (Low.isNegInfinity() && C.getUpper().isPosInfinity());
  Low.add(C.getLower(), Nearest);
  High.add(C.getUpper(), Nearest);
  return Low.isNaN() || High.isNaN() ? ConstantFPRange::getFull(Sem) : between(Low, High, OrNaN);
}

/// The larger of two, or the only one that is a number.
static ConstantFPRange larger(const ConstantFPRange &A, const ConstantFPRange &B) {
  if (!hasNumbers(A) || !hasNumbers(B))
    return A.unionWith(B);
  APFloat Low = maxnum(A.getLower(), B.getLower());
  if (A.containsNaN())
    Low = minnum(Low, B.getLower());
  if (B.containsNaN())
    Low = minnum(Low, A.getLower());
  return between(Low, maxnum(A.getUpper(), B.getUpper()), A.containsNaN() && B.containsNaN());
}

static ConstantFPRange rounded(ConstantFPRange R, RoundingMode Mode) {
  if (!hasNumbers(R))
    return R;
  APFloat Low = R.getLower(), High = R.getUpper();
  Low.roundToIntegral(Mode);
  High.roundToIntegral(Mode);
  return between(Low, High, R.containsNaN());
}

/// A root, exact or approximated: not negative where its operand is not.
static ConstantFPRange root(const ConstantFPRange &Of, const fltSemantics &Sem) {
  bool MayBeNegative = !hasNumbers(Of) || isNegative(Of.getLower());
  return notNegative(Sem, MayBeNegative || Of.containsNaN());
}

/// One divided by a root, approximated: of a negative zero it is the negative infinity.
static ConstantFPRange reciprocalRoot(const ConstantFPRange &Of, const fltSemantics &Sem) {
  bool IsPositive = hasNumbers(Of) && !Of.getLower().isZero() && !Of.getLower().isNegative();
  return IsPositive ? notNegative(Sem, Of.containsNaN()) : ConstantFPRange::getFull(Sem);
}

ConstantFPRange FloatRanges::ofCall(const CallInst &Call, const Instruction &At, unsigned Depth) {
  auto Operand = [&](unsigned Index) { return of(*Call.getArgOperand(Index), At, Depth); };
  const fltSemantics &Sem = Call.getType()->getFltSemantics();
  switch (Call.getIntrinsicID()) {
  case Intrinsic::fabs:
  case Intrinsic::nvvm_fabs:
    return Operand(0).abs();
  case Intrinsic::fma:
    return multiplyAdd(Operand(0), Operand(1), Operand(2), Call.getArgOperand(0) == Call.getArgOperand(1));
  case Intrinsic::minnum:
  case Intrinsic::nvvm_fmin_f:
  case Intrinsic::nvvm_fmin_d:
    return larger(Operand(0).negate(), Operand(1).negate()).negate();
  case Intrinsic::maxnum:
  case Intrinsic::nvvm_fmax_f:
  case Intrinsic::nvvm_fmax_d:
    return larger(Operand(0), Operand(1));
  case Intrinsic::floor:
    return rounded(Operand(0), APFloat::rmTowardNegative);
  case Intrinsic::ceil:
    return rounded(Operand(0), APFloat::rmTowardPositive);
  case Intrinsic::trunc:
    return rounded(Operand(0), APFloat::rmTowardZero);
  case Intrinsic::sqrt:
  case Intrinsic::nvvm_sqrt_f:
  case Intrinsic::nvvm_sqrt_rn_f:
  case Intrinsic::nvvm_sqrt_rn_d:
  case Intrinsic::nvvm_sqrt_approx_f:
    return root(Operand(0), Sem);
  case Intrinsic::nvvm_rsqrt_approx_f:
  case Intrinsic::nvvm_rsqrt_approx_d:
    return reciprocalRoot(Operand(0), Sem);
  case Intrinsic::nvvm_ex2_approx:
  case Intrinsic::nvvm_ex2_approx_ftz:
    return notNegative(Sem, Operand(0).containsNaN());
  default:
    return full(Call);
  }
}

/// \p Known of a value for which a comparison with a constant came out as \p Outcome.
static ConstantFPRange whereCompared(const FCmpInst &Compare, const Value &V, bool Outcome,
                                     const ConstantFPRange &Known) {
  const APFloat *Limit = nullptr;
  CmpPredicate Predicate = Outcome ? Compare.getPredicate() : Compare.getInversePredicate();
  if (Compare.getOperand(0) != &V || !match(Compare.getOperand(1), m_APFloat(Limit)))
    return Known;
  return Known.intersectWith(ConstantFPRange::makeAllowedFCmpRegion(Predicate, ConstantFPRange(*Limit)));
}

ConstantFPRange FloatRanges::ofSelect(const SelectInst &S, const Instruction &At, unsigned Depth) {
  Range IfTrue = of(*S.getTrueValue(), At, Depth), IfFalse = of(*S.getFalseValue(), At, Depth);
  if (const auto *Compare = dyn_cast<FCmpInst>(S.getCondition())) {
    IfTrue = whereCompared(*Compare, *S.getTrueValue(), true, IfTrue);
    IfFalse = whereCompared(*Compare, *S.getFalseValue(), false, IfFalse);
  }
  return IfTrue.unionWith(IfFalse);
}

ConstantFPRange FloatRanges::ofPhi(const PHINode &Phi, unsigned Depth) {
  Range All = Range::getEmpty(Phi.getType()->getFltSemantics());
  for (auto [Block, Value] : zip(Phi.blocks(), Phi.incoming_values())) {
    if (DT.dominates(Phi.getParent(), Block)) // A recurrence.
      return full(Phi);
    All = All.unionWith(of(*Value, *Block->getTerminator(), Depth));
  }
  return All;
}

ConstantFPRange FloatRanges::behindBranches(const Value &V, const Instruction &At, Range Known) const {
  if (isa<Constant>(V))
    return Known;
  for (const User *U : V.users()) {
    const auto *Compare = dyn_cast<FCmpInst>(U);
    if (!Compare)
      continue;
    for (const User *Tested : Compare->users()) {
      const auto *Branch = dyn_cast<BranchInst>(Tested);
      if (!Branch || Branch->getFunction() != At.getFunction())
        continue;
      for (unsigned Way : {0U, 1U})
        if (DT.dominates(BasicBlockEdge(Branch->getParent(), Branch->getSuccessor(Way)), At.getParent()))
          Known = whereCompared(*Compare, V, Way == 0, Known);
    }
  }
  return Known;
}

} // namespace gpuprune
