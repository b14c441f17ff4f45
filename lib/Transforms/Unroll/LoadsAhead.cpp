//===- LoadsAhead.cpp - Loads ahead of the stores of earlier copies ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LoadsAhead.h"
#include "Facts/LoadHazards.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gpuprune {

static constexpr const char *AheadMark = "gpuprune.ahead";

/// This times an index of 32 bits times the number of copies (SizeLimit.h) is less than 2^64.
static constexpr uint64_t LargestDistance = 1 << 15;
static constexpr unsigned NarrowIndexBits = 32;

namespace {

/// Addresses of the iterations of one loop.
class IterationAddresses {
public:
  IterationAddresses(const Loop &L, const LatchTest &Test, ScalarEvolution &SE)
      : L(L), Step(*Test.Next->getStepRecurrence(SE)), SE(SE) {}

  /// At least so many bytes lie between what \p Pointer is in two iterations; 0 where that is not known.
  uint64_t distance(const Value &Pointer) const;

private:
  const Loop &L;
  const SCEV &Step;
  ScalarEvolution &SE;

  bool isIndex(const SCEV &S) const;
  bool isExtendedStep(const SCEV &S) const;
  uint64_t distanceOfWideIndex(const Value &Pointer) const;
};

} // namespace

/// Whether no two iterations have the same \p S.
bool IterationAddresses::isIndex(const SCEV &S) const {
  const auto *Index = dyn_cast<SCEVAddRecExpr>(&S);
  return Index && Index->getLoop() == &L && Index->isAffine() && Index->getStepRecurrence(SE) == &Step;
}

bool IterationAddresses::isExtendedStep(const SCEV &S) const {
  return SE.getTypeSizeInBits(Step.getType()) <= NarrowIndexBits &&
         SE.getTypeSizeInBits(S.getType()) > NarrowIndexBits &&
         (&S == SE.getSignExtendExpr(&Step, S.getType()) || &S == SE.getZeroExtendExpr(&Step, S.getType()));
}

/// The constant and the rest of a product; 1 where there is none.
static std::pair<uint64_t, const SCEV *> splitProduct(const SCEV &S, ScalarEvolution &SE) {
  const auto *Product = dyn_cast<SCEVMulExpr>(&S);
  const auto *By = Product ? dyn_cast<SCEVConstant>(Product->getOperand(0)) : nullptr;
  if (!By)
    return {1, &S};
  if (By->getAPInt().ugt(LargestDistance))
    return {0, &S};
  SmallVector<const SCEV *, 4> Rest(drop_begin(Product->operands()));
  return {By->getAPInt().getZExtValue(), SE.getMulExpr(Rest)};
}

uint64_t IterationAddresses::distance(const Value &Pointer) const {
  const SCEV *Address = SE.getSCEV(const_cast<Value *>(&Pointer));
  if (const auto *Goes = dyn_cast<SCEVAddRecExpr>(Address);
      Goes && Goes->getLoop() == &L && Goes->isAffine()) {
    auto [By, Rest] = splitProduct(*Goes->getStepRecurrence(SE), SE);
    return isExtendedStep(*Rest) ? By : distanceOfWideIndex(Pointer);
  }
  const auto *Sum = dyn_cast<SCEVAddExpr>(Address);
  if (!Sum)
    return 0;
  const SCEV *Varying = nullptr;
  for (const SCEV *Part : Sum->operands()) {
    if (SE.isLoopInvariant(Part, &L))
      continue;
    if (Varying)
      return 0;
    Varying = Part;
  }
  if (!Varying)
    return 0;
  auto [By, Rest] = splitProduct(*Varying, SE);
  if (!isa<SCEVSignExtendExpr, SCEVZeroExtendExpr>(Rest))
    return 0;
  const SCEV &Index = *cast<SCEVCastExpr>(Rest)->getOperand();
  return SE.getTypeSizeInBits(Index.getType()) <= NarrowIndexBits && isIndex(Index) ? By : 0;
}

/// \p Pointer is one getelementptr whose index has the bits of an address.
uint64_t IterationAddresses::distanceOfWideIndex(const Value &Pointer) const {
  const auto *GEP = dyn_cast<GEPOperator>(&Pointer);
  if (!GEP || !GEP->hasNoUnsignedSignedWrap() ||
      !SE.isLoopInvariant(SE.getSCEV(const_cast<Value *>(GEP->getPointerOperand())), &L))
    return 0;
  const DataLayout &DL = L.getHeader()->getDataLayout();
  SmallMapVector<Value *, APInt, 4> Indices;
  APInt Constant(DL.getIndexTypeSizeInBits(GEP->getType()), 0);
  if (!GEP->collectOffset(DL, Constant.getBitWidth(), Indices, Constant) || Indices.size() != 1)
    return 0;
  const auto &[Index, By] = Indices.front();
  return By.ule(LargestDistance) && isIndex(*SE.getSCEV(Index)) ? By.getZExtValue() : 0;
}

static uint64_t bytesOf(const Instruction &Access) {
  return Access.getDataLayout().getTypeStoreSize(getLoadStoreType(&Access)).getFixedValue();
}

/// The loads and stores of \p Body; none where it does anything else with memory or other threads.
static SmallVector<Instruction *, 8> accessesOf(BasicBlock &Body) {
  SmallVector<Instruction *, 8> Accesses;
  for (Instruction &I : Body) {
    bool IsSimple = (isa<LoadInst>(I) && cast<LoadInst>(I).isSimple()) ||
                    (isa<StoreInst>(I) && cast<StoreInst>(I).isSimple());
    if (IsSimple)
      Accesses.push_back(&I);
    else if (I.mayReadOrWriteMemory() || I.mayHaveSideEffects())
      return {};
  }
  return Accesses;
}

void markLoadsAhead(Loop &L, const LatchTest &Test, const LoadHazards &Hazards, ScalarEvolution &SE) {
  if (L.getNumBlocks() != 1)
    return;
  IterationAddresses Addresses(L, Test, SE);
  SmallVector<Instruction *, 8> Accesses = accessesOf(*L.getHeader());
  auto AddressOf = [&](const Instruction &I) {
    return SE.getSCEV(const_cast<Value *>(getLoadStorePointerOperand(&I)));
  };
  for (Instruction *Load : Accesses) {
    if (!isa<LoadInst>(Load))
      continue;
    bool IsApart = all_of(Accesses, [&](const Instruction *Store) {
      if (!isa<StoreInst>(Store) || Load->hasMetadata(LLVMContext::MD_invariant_load) ||
          !Hazards.mayTouch(*Store, *Load))
        return true;
      return Load->comesBefore(Store) && AddressOf(*Store) == AddressOf(*Load) &&
             Addresses.distance(*getLoadStorePointerOperand(Load)) >=
                 std::max(bytesOf(*Load), bytesOf(*Store));
    });
    if (IsApart)
      Load->setMetadata(AheadMark, MDNode::get(Load->getContext(), {}));
  }
}

/// What of \p First to the end of its block \p I needs and is computed without reading memory, or by marked
/// loads, in order; nothing where there is more.
static bool collectNeeded(Instruction &I, const Instruction &First,
                          SmallSetVector<Instruction *, 16> &Needed) {
  if (I.getParent() != First.getParent() || I.comesBefore(&First) || Needed.contains(&I))
    return true;
  if (I.mayReadFromMemory() && !I.hasMetadata(AheadMark))
    return false;
  for (Value *Operand : I.operands())
    if (auto *By = dyn_cast<Instruction>(Operand); By && !collectNeeded(*By, First, Needed))
      return false;
  Needed.insert(&I);
  return true;
}

void moveLoadsAhead(BasicBlock &Body) {
  auto First = find_if(Body, [](const Instruction &I) { return isa<StoreInst>(I); });
  if (First == Body.end())
    return;
  SmallVector<Instruction *, 16> Loads;
  for (Instruction &I : make_range(First, Body.end()))
    if (I.hasMetadata(AheadMark))
      Loads.push_back(&I);
  for (Instruction *Load : Loads) {
    SmallSetVector<Instruction *, 16> Needed;
    if (collectNeeded(*Load, *First, Needed))
      for (Instruction *I : Needed)
        I->moveBefore(First);
  }
}

void forgetLoadsAhead(Function &F) {
  for (Instruction &I : instructions(F))
    I.setMetadata(AheadMark, nullptr);
}

} // namespace gpuprune
