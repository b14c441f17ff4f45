//===- ArgumentRanges.cpp - What a launch accesses through each parameter ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ArgumentRanges.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gpuprune {

/// The parameter that \p Base is, perhaps as a pointer to global memory.
static Argument *parameterOf(const SCEV *Base) {
  const auto *Unknown = dyn_cast<SCEVUnknown>(Base);
  Value *V = Unknown ? Unknown->getValue() : nullptr;
  if (auto *Cast = dyn_cast_or_null<AddrSpaceCastOperator>(V))
    V = Cast->getPointerOperand();
  auto *A = dyn_cast_or_null<Argument>(V);
  return A && !A->hasByValAttr() ? A : nullptr;
}

/// Whichever of \p A and \p B lies further up, or down: the one that is known to, or their maximum or
/// minimum.
static const SCEV *furthest(ScalarEvolution &SE, const SCEV *A, const SCEV *B, bool Upwards) {
  if (const auto *Way = dyn_cast<SCEVConstant>(SE.getMinusSCEV(B, A)))
    return Way->getAPInt().isNegative() == Upwards ? A : B;
  return Upwards ? SE.getSMaxExpr(A, B) : SE.getSMinExpr(A, B);
}

static void add(ArgumentRange &Of, Instruction &Access, const LaunchRange &Offset, ScalarEvolution &SE) {
  uint64_t Bytes = Access.getDataLayout().getTypeStoreSize(getLoadStoreType(&Access));
  const SCEV *End = SE.getAddExpr(Offset.High, SE.getConstant(Offset.High->getType(), Bytes));
  Of.Accesses.push_back(&Access);
  Of.IsWritten |= isa<StoreInst>(Access);
  Of.Begin = Of.Begin ? furthest(SE, Of.Begin, Offset.Low, /*Upwards=*/false) : Offset.Low;
  Of.End = Of.End ? furthest(SE, Of.End, End, /*Upwards=*/true) : End;
}

static bool isSimpleAccess(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple();
  const auto *Store = dyn_cast<StoreInst>(&I);
  return Store && Store->isSimple();
}

ArgumentRanges rangesOfArguments(Function &F, ScalarEvolution &SE, LaunchRanges &Ranges,
                                 function_ref<bool(const Instruction &)> Among, Instruction *&Unknown) {
  ArgumentRanges Found;
  for (Instruction &I : instructions(F)) {
    if (!isSimpleAccess(I) || !Among(I) || getLoadStoreType(&I)->isScalableTy())
      continue;
    const SCEV *Pointer = SE.getSCEV(getLoadStorePointerOperand(&I));
    const SCEV *Base = SE.getPointerBase(Pointer);
    Argument *Parameter = parameterOf(Base);
    if (!Parameter)
      continue;
    const SCEV *Offset = SE.getMinusSCEV(Pointer, Base);
    if (isa<SCEVCouldNotCompute>(Offset) || SE.getTypeSizeInBits(Offset->getType()) != 64)
      continue;
    if (std::optional<LaunchRange> Range = Ranges.of(Offset, *I.getParent()))
      add(Found[Parameter], I, *Range, SE);
    else if (!Unknown && !Parameter->hasNoAliasAttr())
      Unknown = &I;
  }
  return Found;
}

} // namespace gpuprune
