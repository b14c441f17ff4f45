//===- LaunchRanges.cpp - What an integer can be in any thread of a launch --===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaunchRanges.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuprune {

static constexpr unsigned MostBits = 62, BitsOfWideArgument = MostBits / 2;
/// Of a product, so that it can be multiplied further: 16 TiB are in no buffer.
static constexpr unsigned BitsOfPlace = 44;
static constexpr unsigned MostDepth = 32, MostParts = 1000, MostSplits = 2;

LaunchRanges::LaunchRanges(Function &F, ScalarEvolution &SE, ArrayRef<Value *> Extents)
    : SE(SE), Extents(Extents) {
  for (Instruction &I : instructions(F)) {
    auto *Test = dyn_cast<ICmpInst>(&I);
    if (!Test || Test->isEquality() || !Test->getOperand(0)->getType()->isIntegerTy())
      continue;
    const SCEV *A = SE.getSCEV(Test->getOperand(0)), *B = SE.getSCEV(Test->getOperand(1));
    // A range of 0 to n is asked for without a sign, and with the sign it is known too.
    for (bool IsSigned : {true, false})
      for (const Comparison &C : {Comparison{A, B, IsSigned}, Comparison{B, A, IsSigned}})
        if (!is_contained(Comparisons, C))
          Comparisons.push_back(C);
  }
}

std::optional<LaunchRange> LaunchRanges::attempt(function_ref<std::optional<LaunchRange>()> Try) {
  size_t Before = Conditions.size();
  bool WasImpossible = std::exchange(Impossible, false);
  std::optional<LaunchRange> Range = Try();
  if (Impossible)
    Range = std::nullopt;
  Impossible = WasImpossible;
  while (!Range && Conditions.size() > Before)
    Conditions.pop_back();
  return Range;
}

const SCEV *LaunchRanges::number(int64_t Value) const {
  return SE.getConstant(APInt(64, uint64_t(Value), /*isSigned=*/true));
}

void LaunchRanges::demand(const SCEV *NotNegative) {
  if (SE.isKnownNegative(NotNegative))
    Impossible = true;
  else if (!SE.isKnownNonNegative(NotNegative))
    Conditions.insert(NotNegative);
}

void LaunchRanges::demandAtMost(const SCEV *S, uint64_t Most) {
  demand(SE.getMinusSCEV(number(int64_t(Most)), S));
}

void LaunchRanges::fit(LaunchRange &Range, unsigned Bits, bool IsSigned) {
  if (!IsSigned)
    demand(Range.Low);
  unsigned OfMagnitude = IsSigned ? Bits - 1 : Bits;
  if (OfMagnitude > MostBits || Range.Bits < OfMagnitude)
    return;
  demandAtMost(Range.High, maskTrailingOnes<uint64_t>(OfMagnitude));
  // What is behind a guard that no thread passes may end far below its beginning.
  const SCEV *Span = number(int64_t(1) << OfMagnitude);
  demand(SE.getAddExpr(Range.High, Span));
  if (IsSigned)
    demand(SE.getAddExpr(Range.Low, Span));
  Range.Bits = OfMagnitude;
}

LaunchRange LaunchRanges::sum(const LaunchRange &A, const LaunchRange &B) const {
  return {SE.getAddExpr(A.Low, B.Low), SE.getAddExpr(A.High, B.High), std::max(A.Bits, B.Bits) + 1};
}

/// The one number that \p Range has, if it is constant.
static const SCEVConstant *constant(const LaunchRange &Range) {
  return Range.Low == Range.High ? dyn_cast<SCEVConstant>(Range.Low) : nullptr;
}

std::optional<LaunchRange> LaunchRanges::product(LaunchRange A, LaunchRange B) {
  if (constant(A))
    std::swap(A, B);
  if (const SCEVConstant *Factor = constant(B)) {
    if (Factor->getAPInt().isNegative())
      std::swap(A.Low, A.High);
    return multiply(A, B);
  }
  if (SE.isKnownNegative(B.Low))
    std::swap(A, B);
  bool MayBeNegative = SE.isKnownNegative(A.Low);
  demand(B.Low);
  demand(MayBeNegative ? A.High : A.Low);
  for (LaunchRange *Each : {&A, &B})
    if (A.Bits + B.Bits > MostBits)
      fit(*Each, MostBits / 2 + 1, /*IsSigned=*/true);
  if (MayBeNegative)
    B.Low = B.High; // What is least is the most negative one as often as possible.
  std::optional<LaunchRange> Result = multiply(A, B);
  if (Result && Result->Bits > BitsOfPlace)
    fit(*Result, BitsOfPlace + 1, /*IsSigned=*/true);
  return Result;
}

std::optional<LaunchRange> LaunchRanges::multiply(const LaunchRange &A, const LaunchRange &B) const {
  if (A.Bits + B.Bits > MostBits)
    return std::nullopt;
  return LaunchRange{SE.getMulExpr(A.Low, B.Low), SE.getMulExpr(A.High, B.High), A.Bits + B.Bits};
}

std::optional<LaunchRange> LaunchRanges::ofRegister(const SpecialRegister &Register) {
  bool OfBlock =
      Register.Family == RegisterFamily::ThreadIndex || Register.Family == RegisterFamily::BlockExtent;
  const SCEV *Extent =
      SE.getZeroExtendExpr(SE.getSCEV(Extents[(OfBlock ? 0 : 3) + Register.Dimension]), number(0)->getType());
  unsigned Bits = OfBlock                   ? 10
                  : Register.Dimension == 0 ? 31
                                            : 16; // CUDA programming guide, compute capabilities
  if (Register.Family == RegisterFamily::BlockExtent || Register.Family == RegisterFamily::GridExtent)
    return LaunchRange{Extent, Extent, Bits};
  return LaunchRange{number(0), SE.getAddExpr(Extent, number(-1)), Bits};
}

std::optional<LaunchRange> LaunchRanges::ofUnknown(const Value &V) {
  if (const auto *I = dyn_cast<Instruction>(&V))
    if (const SpecialRegister *Register = specialRegister(*I); Register && Register->isGeometry())
      return ofRegister(*Register);
  if (!isa<Argument>(V) || !V.getType()->isIntegerTy())
    return std::nullopt;
  const SCEV *S = SE.getNoopOrSignExtend(SE.getUnknown(const_cast<Value *>(&V)), number(0)->getType());
  unsigned Bits = V.getType()->getIntegerBitWidth();
  if (Bits <= 32)
    return LaunchRange{S, S, Bits - 1};
  demand(S);
  demandAtMost(S, maskTrailingOnes<uint64_t>(BitsOfWideArgument));
  return LaunchRange{S, S, BitsOfWideArgument};
}

/// Whether there is nothing to bound: `2 < n` makes of 2 nothing that is at most n - 1.
static bool isExact(const SCEV *S) {
  const auto *Unknown = dyn_cast<SCEVUnknown>(S);
  return isa<SCEVConstant>(S) || (Unknown && isa<Argument>(Unknown->getValue()));
}

/// Where \p Part, a part of \p Sum but for a number, is bounded by a comparison.
std::optional<LaunchRange> LaunchRanges::byPart(const SCEVAddExpr &Sum, const SCEV *Part) {
  auto IsThere = [&](const SCEV *S) { return isa<SCEVConstant>(S) || is_contained(Sum.operands(), S); };
  const auto *Parts = dyn_cast<SCEVAddExpr>(Part);
  if (isExact(Part) || Part == &Sum || Part->getType() != Sum.getType() ||
      !(Parts ? all_of(Parts->operands(), IsThere) : IsThere(Part)))
    return std::nullopt;
  std::optional<LaunchRange> OfPart = guarded(Part);
  bool IsBounded = OfPart.has_value();
  if (!OfPart)
    OfPart = own(Part);
  if (!OfPart || (!raise(Part, *OfPart) && !IsBounded))
    return std::nullopt;
  std::optional<LaunchRange> OfRest = rangeOf(SE.getMinusSCEV(&Sum, Part));
  return OfRest ? std::optional(sum(*OfPart, *OfRest)) : std::nullopt;
}

/// A part of the sum may be what a comparison bounds: in n * i + j it is j, whose parts stand beside n * i.
std::optional<LaunchRange> LaunchRanges::ofSum(const SCEVAddExpr &Sum) {
  for (const Comparison &C : Comparisons)
    if (Splits < MostSplits && ++Parts <= MostParts)
      if (auto Range = attempt([&] { return byPart(Sum, C.Left); }))
        return Range;
  std::optional<LaunchRange> Result;
  for (const SCEV *Operand : Sum.operands()) {
    std::optional<LaunchRange> Range = rangeOf(Operand);
    if (!Range)
      return std::nullopt;
    Result = Result ? sum(*Result, *Range) : *Range;
  }
  return Result;
}

std::optional<LaunchRange> LaunchRanges::ofProduct(const SCEVMulExpr &Product) {
  std::optional<LaunchRange> Result;
  for (const SCEV *Operand : Product.operands()) {
    std::optional<LaunchRange> Range = rangeOf(Operand);
    if (!Range)
      return std::nullopt;
    Result = Result ? product(*Result, *Range) : Range;
    if (!Result)
      return std::nullopt;
  }
  return Result;
}

std::optional<LaunchRange> LaunchRanges::ofQuotient(const SCEVUDivExpr &Quotient) {
  std::optional<LaunchRange> Of = rangeOf(Quotient.getLHS()), By = rangeOf(Quotient.getRHS());
  unsigned Bits = SE.getTypeSizeInBits(Quotient.getType());
  if (!Of || !By)
    return std::nullopt;
  fit(*Of, Bits, /*IsSigned=*/false);
  fit(*By, Bits, /*IsSigned=*/false);
  demand(SE.getAddExpr(By->Low, number(-1)));
  // Expanded where the condition may not hold, a division must not be by zero.
  const SCEV *Divisor = SE.getSMaxExpr(By->Low, number(1));
  const SCEV *Most = SE.getSMaxExpr(Of->High, number(0)); // Of what is behind a guard that no thread passes.
  return LaunchRange{number(0), SE.getUDivExpr(Most, Divisor), Of->Bits};
}

/// \p S without its factor \p Factor; null where it has none.
static const SCEV *without(const SCEVConstant *Factor, const SCEV *S, ScalarEvolution &SE) {
  const auto *Product = dyn_cast<SCEVMulExpr>(S);
  if (!Product || Product->getOperand(0) != Factor)
    return nullptr;
  SmallVector<const SCEV *, 4> Rest(drop_begin(Product->operands()));
  return SE.getMulExpr(Rest);
}

/// 4 * i of a loop that compares i: bytes of elements.
std::optional<LaunchRange> LaunchRanges::ofMultiple(const SCEVAddRecExpr &Steps) {
  const auto *Product = dyn_cast<SCEVMulExpr>(Steps.getStepRecurrence(SE));
  const auto *Factor = Product ? dyn_cast<SCEVConstant>(Product->getOperand(0)) : nullptr;
  const SCEV *Start = Factor ? without(Factor, Steps.getStart(), SE) : nullptr;
  if (!Start)
    return std::nullopt;
  const SCEV *Step = without(Factor, Product, SE);
  std::optional<LaunchRange> Of =
      rangeOf(SE.getAddRecExpr(Start, Step, Steps.getLoop(), SCEV::FlagAnyWrap)); // One that exists, mostly.
  std::optional<LaunchRange> Times = plain(Factor);
  return Of ? product(*Of, *Times) : std::nullopt;
}

/// Of the iterations that come behind the first.
std::optional<LaunchRange> LaunchRanges::ofSteps(const SCEVAddRecExpr &Steps) {
  if (!Steps.isAffine())
    return std::nullopt;
  if (auto Range = attempt([&] { return ofMultiple(Steps); }))
    return Range;
  const Loop &L = *Steps.getLoop();
  const SCEV *Count = SE.getSymbolicMaxBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Count))
    return std::nullopt;
  std::optional<LaunchRange> First = rangeOf(Steps.getStart()), Step = rangeOf(Steps.getStepRecurrence(SE)),
                             Times = rangeOf(Count);
  if (!First || !Step || !Times)
    return std::nullopt;
  fit(*Times, SE.getTypeSizeInBits(Count->getType()), /*IsSigned=*/false);
  std::optional<LaunchRange> Way = product(*Step, {number(0), Times->High, Times->Bits});
  return Way ? std::optional(sum(*First, *Way)) : std::nullopt;
}

std::optional<LaunchRange> LaunchRanges::ofChoice(const SCEVNAryExpr &Choice) {
  bool IsSigned = isa<SCEVSMaxExpr, SCEVSMinExpr>(Choice), IsMax = isa<SCEVSMaxExpr, SCEVUMaxExpr>(Choice);
  std::optional<LaunchRange> Result;
  for (const SCEV *Operand : Choice.operands()) {
    std::optional<LaunchRange> Range = rangeOf(Operand);
    if (!Range)
      return std::nullopt;
    fit(*Range, SE.getTypeSizeInBits(Choice.getType()), IsSigned);
    if (!Result) {
      Result = Range;
      continue;
    }
    auto Choose = [&](const SCEV *A, const SCEV *B) {
      return IsMax ? SE.getSMaxExpr(A, B) : SE.getSMinExpr(A, B);
    };
    Result = LaunchRange{Choose(Result->Low, Range->Low), Choose(Result->High, Range->High),
                         std::max(Result->Bits, Range->Bits)};
  }
  return Result;
}

/// \p S is less than \p Bound, or not more: in each iteration where \p Steps, which is \p S then, is not
/// null.
std::optional<LaunchRange> LaunchRanges::below(const SCEV *S, const Upper &Bound,
                                               const SCEVAddRecExpr *Steps) {
  unsigned Bits = SE.getTypeSizeInBits(S->getType());
  std::optional<LaunchRange> Most = rangeOf(Bound.Of);
  if (!Most)
    return std::nullopt;
  fit(*Most, Bits, Bound.IsSigned);
  const SCEV *High = Bound.IsStrict ? SE.getAddExpr(Most->High, number(-1)) : Most->High;
  if (!Steps) {
    std::optional<LaunchRange> Own = own(S);
    if (!Own)
      return std::nullopt;
    bool MayBeNegative = !Bound.IsSigned && !SE.isKnownNonNegative(Own->Low);
    fit(*Own, Bits, Bound.IsSigned || MayBeNegative);
    LaunchRange Range{Own->Low, High, std::max(Own->Bits, Most->Bits) + 1};
    if (MayBeNegative) {
      // What is negative would be 2^31 or more without a sign, so that it is above the bound.
      fit(*Most, Bits, /*IsSigned=*/true);
      Range.Low = SE.getSMaxExpr(Own->Low, number(0));
    }
    return Range;
  }
  std::optional<LaunchRange> First = rangeOf(Steps->getStart()), Step = rangeOf(Steps->getStepRecurrence(SE));
  if (!First || !Step)
    return std::nullopt;
  fit(*First, Bits, Bound.IsSigned);
  // From below the bound a step leads to where no bit is lost; so it goes upwards from the start.
  demand(Step->Low);
  LaunchRange WithNext{First->Low, SE.getAddExpr(High, Step->High),
                       std::max({First->Bits, Most->Bits, Step->Bits}) + 1};
  fit(WithNext, Bits, Bound.IsSigned);
  return LaunchRange{First->Low, High, WithNext.Bits};
}

static ICmpInst::Predicate less(bool IsSigned, bool IsStrict) {
  if (IsSigned)
    return IsStrict ? ICmpInst::ICMP_SLT : ICmpInst::ICMP_SLE;
  return IsStrict ? ICmpInst::ICMP_ULT : ICmpInst::ICMP_ULE;
}

/// Where \p S, \p Counter if that is not null, is known to be less than what \p C compares with where the
/// block is executed, or not more.
std::optional<LaunchRange> LaunchRanges::guardedBy(const SCEV *S, const SCEVAddRecExpr *Counter,
                                                   const Comparison &C) {
  if (Counter && !SE.isLoopInvariant(C.Right, Counter->getLoop()))
    Counter = nullptr;
  for (bool IsStrict : {true, false}) {
    ICmpInst::Predicate Holds = less(C.IsSigned, IsStrict);
    bool InEach = Counter && SE.isKnownOnEveryIteration(Holds, Counter, C.Right);
    if (!InEach && !SE.isBasicBlockEntryGuardedByCond(At, Holds, S, C.Right))
      continue;
    Upper Bound{C.Right, C.IsSigned, IsStrict};
    if (auto Range = attempt([&] { return below(S, Bound, InEach ? Counter : nullptr); }))
      return Range;
  }
  return std::nullopt;
}

/// By a comparison. A loop compares its counter, the counter's start or what is next.
std::optional<LaunchRange> LaunchRanges::guarded(const SCEV *S) {
  const auto *Counter = dyn_cast<SCEVAddRecExpr>(S);
  if (Counter && !Counter->isAffine())
    Counter = nullptr;
  const SCEV *Next = Counter ? Counter->getPostIncExpr(SE) : S, *Start = Counter ? Counter->getStart() : S;
  for (const Comparison &C : Comparisons)
    if (is_contained({S, Next, Start}, C.Left) && ++Parts <= MostParts)
      if (auto Range = guardedBy(S, Counter, C))
        return Range;
  return std::nullopt;
}

/// Without what comparisons say of \p S itself. Of two sums each may be a part of the other but for a number.
std::optional<LaunchRange> LaunchRanges::own(const SCEV *S) {
  ++Splits;
  std::optional<LaunchRange> Range = plain(S);
  --Splits;
  return Range;
}

/// By a comparison with a number, which is known to have come out so where the block is executed.
bool LaunchRanges::raise(const SCEV *S, LaunchRange &Range) {
  unsigned Bits = SE.getTypeSizeInBits(S->getType());
  for (const Comparison &C : Comparisons) {
    const auto *Below = dyn_cast<SCEVConstant>(C.Left);
    if (!Below || C.Right != S || !C.IsSigned || Below->getAPInt().getSignificantBits() > MostBits)
      continue;
    for (bool IsStrict : {true, false}) {
      const SCEV *Least = number(Below->getAPInt().getSExtValue() + (IsStrict ? 1 : 0));
      const auto *Way = dyn_cast<SCEVConstant>(SE.getMinusSCEV(Least, Range.Low));
      if (!Way || !Way->getAPInt().isStrictlyPositive() ||
          !SE.isBasicBlockEntryGuardedByCond(At, less(/*IsSigned=*/true, IsStrict), Below, S))
        continue;
      fit(Range, Bits, /*IsSigned=*/true);
      Range.Low = Least;
      return true;
    }
  }
  return false;
}

std::optional<LaunchRange> LaunchRanges::plain(const SCEV *S) {
  unsigned Bits = SE.getTypeSizeInBits(S->getType());
  switch (S->getSCEVType()) {
  case scConstant: {
    const APInt &Value = cast<SCEVConstant>(S)->getAPInt();
    return LaunchRange{number(Value.getSExtValue()), number(Value.getSExtValue()),
                       unsigned(Value.getSignificantBits())};
  }
  case scUnknown:
    return ofUnknown(*cast<SCEVUnknown>(S)->getValue());
  case scTruncate: // Another of the integers that these bits stand for.
    return rangeOf(cast<SCEVTruncateExpr>(S)->getOperand());
  case scZeroExtend:
  case scSignExtend: {
    const SCEV *Of = cast<SCEVCastExpr>(S)->getOperand();
    std::optional<LaunchRange> Range = rangeOf(Of);
    if (Range)
      fit(*Range, SE.getTypeSizeInBits(Of->getType()), isa<SCEVSignExtendExpr>(S));
    return Range;
  }
  case scAddExpr:
    return ofSum(*cast<SCEVAddExpr>(S));
  case scMulExpr:
    return ofProduct(*cast<SCEVMulExpr>(S));
  case scUDivExpr:
    return ofQuotient(*cast<SCEVUDivExpr>(S));
  case scAddRecExpr:
    return ofSteps(*cast<SCEVAddRecExpr>(S));
  case scUMaxExpr:
  case scSMaxExpr:
  case scUMinExpr:
  case scSMinExpr:
    return Bits > 32 ? std::nullopt : ofChoice(*cast<SCEVNAryExpr>(S));
  default:
    return std::nullopt;
  }
}

std::optional<LaunchRange> LaunchRanges::rangeOf(const SCEV *S) {
  if (!S->getType()->isIntegerTy() || SE.getTypeSizeInBits(S->getType()) > 64 || Depth >= MostDepth ||
      ++Parts > MostParts)
    return std::nullopt;
  ++Depth;
  std::optional<LaunchRange> Range = isExact(S) ? std::nullopt : guarded(S);
  if (!Range)
    Range = plain(S);
  if (Range && !isExact(S))
    raise(S, *Range);
  --Depth;
  return Range && Range->Bits <= MostBits ? Range : std::nullopt;
}

std::optional<LaunchRange> LaunchRanges::of(const SCEV *S, const BasicBlock &Block) {
  At = &Block;
  Parts = Splits = 0;
  return attempt([&] { return rangeOf(S); });
}

} // namespace gpuprune
