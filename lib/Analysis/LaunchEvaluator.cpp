//===- LaunchEvaluator.cpp - Values under a concrete launch ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaunchEvaluator.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "gpuprune/Device/CommonLimits.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace gpuprune;

/// Deeper expressions count as unknown.
static constexpr unsigned MaxDepth = 64;

static ConstantRange unknown(unsigned Bits) { return ConstantRange::getFull(Bits); }

static ConstantRange single(unsigned Bits, uint64_t Value) {
  return ConstantRange(APInt(Bits, Value, /*isSigned=*/false, /*implicitTrunc=*/true));
}

/// [0, End), or everything where that does not fit the type.
static ConstantRange below(unsigned Bits, uint64_t End) {
  if (End == 0 || (Bits < 64 && End >> Bits != 0))
    return unknown(Bits);
  return ConstantRange::getNonEmpty(APInt(Bits, 0), APInt(Bits, End));
}

ConstantRange LaunchEvaluator::evaluate(Value *V, const Loop *InScope) {
  Scope = InScope;
  Values.clear();
  Expressions.clear();
  return value(V);
}

ConstantRange LaunchEvaluator::evaluate(const SCEV *S, const Loop *InScope) {
  Scope = InScope;
  Values.clear();
  Expressions.clear();
  return expression(S);
}

ConstantRange LaunchEvaluator::value(Value *V) {
  unsigned Bits = V->getType()->getIntegerBitWidth();
  if (auto *C = dyn_cast<ConstantInt>(V))
    return ConstantRange(C->getValue());
  if (auto *A = dyn_cast<Argument>(V)) {
    std::optional<int64_t> Scalar = Launch.scalar(A->getArgNo());
    return Scalar ? ConstantRange(APInt(Bits, static_cast<uint64_t>(*Scalar), true, true)) : unknown(Bits);
  }
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > MaxDepth)
    return unknown(Bits);
  if (auto Known = Values.find(V); Known != Values.end())
    return Known->second;
  ++Depth;
  ConstantRange Result = unknown(Bits);
  if (Evolution.isSCEVable(V->getType())) {
    const SCEV *S = Evolution.getSCEVAtScope(V, Scope);
    auto *Opaque = dyn_cast<SCEVUnknown>(S);
    if (!Opaque || Opaque->getValue() != V)
      Result = expression(S);
  }
  if (!Result.isSingleElement())
    Result = Result.intersectWith(instruction(I));
  --Depth;
  Values.try_emplace(V, Result);
  return Result;
}

ConstantRange LaunchEvaluator::instruction(Instruction *I) {
  unsigned Bits = I->getType()->getIntegerBitWidth();
  if (auto *Binary = dyn_cast<BinaryOperator>(I))
    return binary(*Binary);
  if (auto *Compare = dyn_cast<ICmpInst>(I))
    return compare(*Compare);
  if (auto *Select = dyn_cast<SelectInst>(I))
    return select(*Select);
  if (auto *Phi = dyn_cast<PHINode>(I))
    return phi(*Phi);
  if (auto *Call = dyn_cast<CallBase>(I))
    return call(*Call);
  if (isa<FreezeInst>(I))
    return value(I->getOperand(0));
  if (isa<TruncInst, ZExtInst, SExtInst>(I) && I->getOperand(0)->getType()->isIntegerTy())
    return value(I->getOperand(0)).castOp(static_cast<Instruction::CastOps>(I->getOpcode()), Bits);
  return unknown(Bits);
}

ConstantRange LaunchEvaluator::binary(BinaryOperator &I) {
  ConstantRange Left = value(I.getOperand(0)), Right = value(I.getOperand(1));
  unsigned NoWrap = 0;
  if (auto *Overflowing = dyn_cast<OverflowingBinaryOperator>(&I))
    NoWrap = (Overflowing->hasNoUnsignedWrap() ? OverflowingBinaryOperator::NoUnsignedWrap : 0) |
             (Overflowing->hasNoSignedWrap() ? OverflowingBinaryOperator::NoSignedWrap : 0);
  return NoWrap ? Left.overflowingBinaryOp(I.getOpcode(), Right, NoWrap)
                : Left.binaryOp(I.getOpcode(), Right);
}

ConstantRange LaunchEvaluator::compare(ICmpInst &I) {
  if (!I.getOperand(0)->getType()->isIntegerTy())
    return unknown(1);
  ConstantRange Left = value(I.getOperand(0)), Right = value(I.getOperand(1));
  if (Left.icmp(I.getPredicate(), Right))
    return single(1, 1);
  if (Left.icmp(I.getInversePredicate(), Right))
    return single(1, 0);
  return unknown(1);
}

ConstantRange LaunchEvaluator::select(SelectInst &I) {
  if (!I.getCondition()->getType()->isIntegerTy())
    return unknown(I.getType()->getIntegerBitWidth());
  ConstantRange Condition = value(I.getCondition());
  if (const APInt *Decided = Condition.getSingleElement())
    return value(Decided->isZero() ? I.getFalseValue() : I.getTrueValue());
  return value(I.getTrueValue()).unionWith(value(I.getFalseValue()));
}

/// The iteration of \p L that values stand in: the present one, or the last one
/// where the loop has ended.
std::optional<uint64_t> LaunchEvaluator::position(const Loop *L) {
  if (auto Now = Iteration.find(L); Now != Iteration.end()) {
    Consulted.insert(L);
    return Now->second;
  }
  if (auto Last = LastIteration.find(L); Last != LastIteration.end())
    return Last->second;
  return std::nullopt;
}

/// The header's phis are recurrences: ScalarEvolution knows them, or they have been
/// followed. Any other phi is one of the values that arrive over edges that are taken.
ConstantRange LaunchEvaluator::phi(PHINode &I) {
  unsigned Bits = I.getType()->getIntegerBitWidth();
  BasicBlock *Block = I.getParent();
  if (Loops.isLoopHeader(Block)) {
    auto Trace = Traces.find(&I);
    std::optional<uint64_t> At = Trace == Traces.end() ? std::nullopt : position(Loops.getLoopFor(Block));
    return At && *At < Trace->second.size() ? Trace->second[*At] : unknown(Bits);
  }
  ConstantRange Result = ConstantRange::getEmpty(Bits);
  for (unsigned Incoming = 0; Incoming != I.getNumIncomingValues(); ++Incoming) {
    auto Flow = EdgeFlow.find({I.getIncomingBlock(Incoming), Block});
    if (Flow != EdgeFlow.end() && Flow->second == 0)
      continue;
    Result = Result.unionWith(value(I.getIncomingValue(Incoming)));
  }
  return Result.isEmptySet() ? unknown(Bits) : Result;
}

ConstantRange LaunchEvaluator::call(CallBase &I) {
  Intrinsic::ID ID = I.getIntrinsicID();
  ConstantRange Result = specialRegister(I);
  if (!Result.isFullSet() || !ConstantRange::isIntrinsicSupported(ID))
    return Result;
  SmallVector<ConstantRange, 3> Operands;
  for (Value *Operand : I.args()) {
    if (!Operand->getType()->isIntegerTy())
      return Result;
    Operands.push_back(value(Operand));
  }
  return ConstantRange::intrinsic(ID, Operands);
}

ConstantRange LaunchEvaluator::specialRegister(CallBase &I) {
  unsigned Bits = I.getType()->getIntegerBitWidth();
  auto Extent = [&](const std::optional<Dim3> &Of, unsigned D) {
    return Of ? single(Bits, (*Of)[D]) : unknown(Bits);
  };
  auto Index = [&](const std::optional<Dim3> &Of, unsigned D) {
    if (FirstThreadOnly)
      return single(Bits, 0);
    return Of ? below(Bits, (*Of)[D]) : unknown(Bits);
  };
  ConstantRange Declared = I.getRange().value_or(unknown(Bits));
  auto Known = [&]() -> ConstantRange {
    const SpecialRegister *Register = gpuprune::specialRegister(I);
    if (!Register)
      return unknown(Bits);
    switch (Register->Family) {
    case RegisterFamily::BlockExtent:
      return Extent(Launch.Block, Register->Dimension);
    case RegisterFamily::GridExtent:
      return Extent(Launch.Grid, Register->Dimension);
    case RegisterFamily::ThreadIndex:
      return Index(Launch.Block, Register->Dimension);
    case RegisterFamily::BlockIndex:
      return Index(Launch.Grid, Register->Dimension);
    case RegisterFamily::WarpSize:
      return single(Bits, WarpSize);
    case RegisterFamily::Lane:
      if (Register->Name == "laneid")
        return FirstThreadOnly ? single(Bits, 0) : below(Bits, WarpSize);
      return unknown(Bits);
    default:
      return unknown(Bits);
    }
  }();
  return Known.isFullSet() ? Declared : Known;
}

ConstantRange LaunchEvaluator::expression(const SCEV *S) {
  if (auto Known = Expressions.find(S); Known != Expressions.end())
    return Known->second;
  unsigned Bits = Evolution.getTypeSizeInBits(S->getType());
  if (Depth > MaxDepth)
    return unknown(Bits);
  ++Depth;
  ConstantRange Result = computeExpression(S);
  --Depth;
  Expressions.try_emplace(S, Result);
  return Result;
}

ConstantRange LaunchEvaluator::computeExpression(const SCEV *S) {
  unsigned Bits = Evolution.getTypeSizeInBits(S->getType());
  auto Fold = [&](auto Combine) {
    ArrayRef<const SCEV *> Operands = S->operands();
    ConstantRange Result = expression(Operands.front());
    for (const SCEV *Operand : Operands.drop_front())
      Result = Combine(Result, expression(Operand));
    return Result;
  };
  using Range = const ConstantRange &;
  switch (S->getSCEVType()) {
  case scConstant:
    return ConstantRange(cast<SCEVConstant>(S)->getAPInt());
  case scTruncate:
    return expression(S->operands().front()).truncate(Bits);
  case scZeroExtend:
    return expression(S->operands().front()).zeroExtend(Bits);
  case scSignExtend:
    return expression(S->operands().front()).signExtend(Bits);
  case scAddExpr:
    return Fold([](Range A, Range B) { return A.add(B); });
  case scMulExpr:
    return Fold([](Range A, Range B) { return A.multiply(B); });
  case scUDivExpr:
    return Fold([](Range A, Range B) { return A.udiv(B); });
  case scUMaxExpr:
    return Fold([](Range A, Range B) { return A.umax(B); });
  case scSMaxExpr:
    return Fold([](Range A, Range B) { return A.smax(B); });
  case scUMinExpr:
  case scSequentialUMinExpr:
    return Fold([](Range A, Range B) { return A.umin(B); });
  case scSMinExpr:
    return Fold([](Range A, Range B) { return A.smin(B); });
  case scAddRecExpr:
    return recurrence(cast<SCEVAddRecExpr>(S));
  case scUnknown: {
    Value *V = cast<SCEVUnknown>(S)->getValue();
    return V->getType()->isIntegerTy() ? value(V) : unknown(Bits);
  }
  default:
    return unknown(Bits);
  }
}

ConstantRange LaunchEvaluator::recurrence(const SCEVAddRecExpr *S) {
  unsigned Bits = Evolution.getTypeSizeInBits(S->getType());
  std::optional<uint64_t> At = position(S->getLoop());
  if (!At)
    return unknown(Bits);
  if (S->isAffine())
    return expression(S->getStart())
        .add(expression(S->getStepRecurrence(Evolution)).multiply(single(Bits, *At)));
  Type *IndexType = IntegerType::get(Evolution.getContext(), 64);
  return expression(S->evaluateAtIteration(Evolution.getConstant(IndexType, *At), Evolution));
}
