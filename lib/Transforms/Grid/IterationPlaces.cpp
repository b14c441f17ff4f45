//===- IterationPlaces.cpp - Whether iterations keep to places of their own --===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Facts/LoadHazards.h"
#include "GridFreedom.h"
#include "Shape/ShapeMemory.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gpuprune {

namespace {

class Places {
public:
  Places(const Origins &From, const IndexTerms &Terms) : From(From), Terms(Terms) {}
  Verdict check(const ShapeAccess &Store, ArrayRef<ShapeAccess> All) const;

private:
  const Origins &From;
  const IndexTerms &Terms;

  bool isOwn(const ShapeAccess &Store, const GridStride &G) const;
  bool stepsBy(const Value &Element, const GridStride &G, uint64_t Bytes, uint64_t Size) const;
};

} // namespace

static bool mayMeet(const ShapeAccess &A, const ShapeAccess &B) {
  return any_of(A.Objects, [&](const Value *OfA) {
    return any_of(B.Objects, [&](const Value *OfB) { return !isDisjoint(*OfA, *OfB); });
  });
}

static bool isShared(const ShapeAccess &A) { return sharedArrayOf(*A.Pointer) != nullptr; }

/// Whether \p Element, of \p Bytes bytes, is k * index + what is alike, so that accesses of \p Size bytes in
/// different iterations do not overlap. In 32 bits twice an index below 2^31 still tells indices apart, but
/// not twice an unsigned one.
bool Places::stepsBy(const Value &Element, const GridStride &G, uint64_t Bytes, uint64_t Size) const {
  const Value *Counted = &Element;
  while (isa<SExtInst, ZExtInst>(Counted))
    Counted = cast<CastInst>(Counted)->getOperand(0);
  std::optional<Polynomial> P = Terms.of(*Counted);
  if (!P || P->Bits < G.Index->getType()->getIntegerBitWidth())
    return false;
  int64_t Factor = 0;
  for (const auto &[Product, Coefficient] : P->Products) {
    bool IsIndex = Product.size() == 1 && Product.front().Is == Term::Opaque &&
                   Product.front().Of == G.Index && Product.front().Bits == P->Bits;
    if (IsIndex)
      Factor = P->coefficient(Product);
    else if (any_of(Product, [&](const Term &T) {
               const auto *I = T.Is == Term::Opaque ? dyn_cast<Instruction>(T.Of) : nullptr;
               return T.Is == Term::Extended || (I && From.of(*I) != Origin::Alike);
             }))
      return false;
  }
  int64_t Most = P->Bits == 32 ? (G.Signed ? 2 : 1) : std::numeric_limits<int32_t>::max();
  return Factor >= 1 && Factor <= Most && uint64_t(Factor) * Bytes >= Size;
}

/// Whether each iteration of \p G stores elsewhere: to an element of a buffer by its index.
bool Places::isOwn(const ShapeAccess &Store, const GridStride &G) const {
  const auto *Element = dyn_cast<GEPOperator>(Store.Pointer);
  if (!Element || Element->getNumIndices() != 1 || !Store.Bytes)
    return false;
  const auto *Base = dyn_cast<Instruction>(Element->getPointerOperand());
  uint64_t Bytes = Store.I->getDataLayout().getTypeAllocSize(Element->getSourceElementType()).getFixedValue();
  return (!Base || From.of(*Base) == Origin::Alike) &&
         stepsBy(*Element->idx_begin()->get(), G, Bytes, Store.Bytes);
}

Verdict Places::check(const ShapeAccess &Store, ArrayRef<ShapeAccess> All) const {
  const GridStride *G = From.loopOf(*Store.I);
  if (G && G->L->getParentLoop())
    return Refusal::at(RefusalKind::DependentIterations, *Store.I,
                       "the loop runs several times, and what is the same in all of its iterations may then "
                       "be another place, to which another thread has stored before");
  if (G && !isOwn(Store, *G))
    return Refusal::at(
        RefusalKind::DependentIterations, *Store.I,
        "another iteration may store to the same place, and with another grid either may be the last");
  for (const ShapeAccess &Other : All) {
    bool IsSame = Other.I == Store.I || (G && Other.Pointer == Store.Pointer && Other.Bytes == Store.Bytes &&
                                         From.loopOf(*Other.I) == G && !Other.isAtomic());
    if (IsSame || Other.I->hasMetadata(LLVMContext::MD_invariant_load) || !mayMeet(Store, Other))
      continue;
    return Refusal::at(
        RefusalKind::DependentIterations, *Other.I,
        "this may be the place of a store that another iteration makes; if the buffers are different "
        "ones, declare their pointers __restrict__");
  }
  return std::nullopt;
}

/// Atomic operations on one place have to commute, and plain loads to go through other pointers.
static Verdict checkAtomic(const ShapeAccess &Atomic, ArrayRef<ShapeAccess> All) {
  for (const ShapeAccess &Other : All) {
    bool OneObject = any_of(Other.Objects, [&](const Value *O) { return is_contained(Atomic.Objects, O); });
    bool Fits = Other.isAtomic() ? !mayMeet(Atomic, Other) || commute(Atomic, Other) : !OneObject;
    if (!Fits)
      return Refusal::at(RefusalKind::DependentIterations, *Other.I,
                         "this accesses what blocks add to atomically, in another way");
  }
  return std::nullopt;
}

Verdict checkIterationPlaces(Function &F, const Origins &From, const IndexTerms &Terms) {
  std::vector<ShapeAccess> All = visibleAccesses(F);
  llvm::erase_if(All, isShared);
  Places Of(From, Terms);
  for (const ShapeAccess &Access : All) {
    if (any_of(Access.Objects, [](const Value *O) { return !isa<Argument, GlobalVariable>(O); }))
      return Refusal::at(RefusalKind::UnknownObject, *Access.I, "it is not known what this points to");
    Verdict Refused = Access.isAtomic() ? checkAtomic(Access, All)
                      : Access.Writes   ? Of.check(Access, All)
                                        : Verdict();
    if (Refused)
      return Refused;
  }
  return std::nullopt;
}

} // namespace gpuprune
