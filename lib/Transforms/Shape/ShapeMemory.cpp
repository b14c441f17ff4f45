//===- ShapeMemory.cpp - What the threads of a grid read of each other ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ShapeMemory.h"
#include "Facts/LoadHazards.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

/// Places that are worth comparing at every size for every shape.
static constexpr size_t MostPlaces = 256;

bool ShapeAccess::isAtomic() const { return isa<AtomicRMWInst>(I); }

bool isForAllBlocks(const AtomicRMWInst &I) {
  SmallVector<StringRef, 8> Scopes;
  I.getContext().getSyncScopeNames(Scopes);
  StringRef Scope = I.getSyncScopeID() < Scopes.size() ? Scopes[I.getSyncScopeID()] : "unknown";
  return Scope.empty() || Scope == "device";
}

/// Memory that a thread has for itself, or that nobody writes.
static bool isUnseen(const Value *Object) {
  const auto *A = dyn_cast<Argument>(Object);
  const auto *Variable = dyn_cast<GlobalVariable>(Object);
  unsigned Space = Object->getType()->getPointerAddressSpace();
  return isa<AllocaInst>(Object) || Space == NVPTXAS::ADDRESS_SPACE_LOCAL || (A && A->hasByValAttr()) ||
         (Variable && (Variable->isConstant() || Space == NVPTXAS::ADDRESS_SPACE_CONST));
}

static void addAccess(std::vector<ShapeAccess> &Found, const Instruction &I, const Value *Pointer,
                      uint64_t Bytes, bool Writes) {
  ShapeAccess Access{&I, Pointer, Bytes, Writes, objectsOf(*Pointer)};
  bool IsOwn = all_of(Access.Objects, [](const Value *Object) {
    return isa<AllocaInst>(Object) || Object->getType()->getPointerAddressSpace() == 5 ||
           (isa<Argument>(Object) && cast<Argument>(Object)->hasByValAttr());
  });
  if (!IsOwn)
    Found.push_back(std::move(Access));
}

std::vector<ShapeAccess> visibleAccesses(Function &F) {
  std::vector<ShapeAccess> Found;
  const DataLayout &DL = F.getDataLayout();
  auto BytesOf = [&](const Type *T) { return DL.getTypeStoreSize(const_cast<Type *>(T)).getFixedValue(); };
  for (const Instruction &I : instructions(F)) {
    if (const auto *Load = dyn_cast<LoadInst>(&I))
      addAccess(Found, I, Load->getPointerOperand(), BytesOf(Load->getType()), false);
    else if (const auto *Store = dyn_cast<StoreInst>(&I))
      addAccess(Found, I, Store->getPointerOperand(), BytesOf(Store->getValueOperand()->getType()), true);
    else if (const auto *Update = dyn_cast<AtomicRMWInst>(&I))
      addAccess(Found, I, Update->getPointerOperand(), BytesOf(Update->getType()), true);
    if (const auto *Copy = dyn_cast<MemTransferInst>(&I))
      addAccess(Found, I, Copy->getRawSource(), 0, false);
    if (const auto *Set = dyn_cast<MemIntrinsic>(&I))
      addAccess(Found, I, Set->getRawDest(), 0, true);
  }
  return Found;
}

namespace {

/// Pairs of accesses.
class Communication {
public:
  Communication(const ShapeControl &Control, const ArgumentBuffers &Buffers, BlockShapeFreedom &Freedom)
      : Control(Control), Buffers(Buffers), Freedom(Freedom) {}

  /// Whether no thread reads by \p Read what another writes by \p Write, or the launch is asked.
  bool areApart(const ShapeAccess &Write, const ShapeAccess &Read);
  bool mayMeet(const ShapeAccess &A, const ShapeAccess &B) const;

private:
  const ShapeControl &Control;
  const ArgumentBuffers &Buffers;
  BlockShapeFreedom &Freedom;

  std::optional<unsigned> bufferOf(const Value &Object) const;
  bool isApart(const Value &A, const Value &B) const;
  bool addFactors(const Polynomial &P, OwnPlace &Place, bool MayExtend) const;
  const GridLoop *loopOf(const Term &T) const;
};

/// Base plus a polynomial of bytes plus a constant.
struct Address {
  const Value *Base;
  Polynomial Bytes;
  int64_t Constant = 0;
};

} // namespace

std::optional<unsigned> Communication::bufferOf(const Value &Object) const {
  const auto *A = dyn_cast<Argument>(&Object);
  return A && A->getArgNo() < Buffers.size() ? Buffers[A->getArgNo()] : std::nullopt;
}

bool Communication::isApart(const Value &A, const Value &B) const {
  std::optional<unsigned> OfA = bufferOf(A), OfB = bufferOf(B);
  // A buffer is an allocation, no variable.
  if ((OfA && isa<GlobalVariable>(B)) || (OfB && isa<GlobalVariable>(A)))
    return true;
  return OfA && OfB ? *OfA != *OfB : isDisjoint(A, B);
}

bool Communication::mayMeet(const ShapeAccess &A, const ShapeAccess &B) const {
  return any_of(A.Objects, [&](const Value *OfA) {
    return any_of(B.Objects, [&](const Value *OfB) { return !isApart(*OfA, *OfB); });
  });
}

static std::optional<Address> addressOf(const Value &Pointer, const IndexTerms &Terms, const DataLayout &DL) {
  const Value *V = &Pointer;
  Address A{nullptr, {}, 0};
  A.Bytes.Bits = 64;
  while (true) {
    if (const auto *Step = dyn_cast<GEPOperator>(V)) {
      unsigned Bits = DL.getIndexTypeSizeInBits(Step->getType());
      SmallMapVector<Value *, APInt, 4> Variable;
      APInt Constant(Bits, 0);
      if (Bits != 64 || !Step->collectOffset(DL, Bits, Variable, Constant))
        return std::nullopt;
      A.Constant += Constant.getSExtValue();
      for (const auto &[Index, Scale] : Variable) {
        std::optional<Polynomial> P = Terms.of(*Index);
        if (!P || P->Bits != 64)
          return std::nullopt;
        A.Bytes.Narrow |= P->Narrow;
        for (const auto &[Product, Coefficient] : P->Products)
          A.Bytes.add(Product, Coefficient * Scale.getZExtValue());
      }
      V = Step->getPointerOperand();
    } else if (const auto *Cast = dyn_cast<AddrSpaceCastOperator>(V)) {
      V = Cast->getPointerOperand();
    } else {
      A.Base = V;
      break;
    }
  }
  // A constant in a polynomial is as good as one in an offset.
  A.Constant += A.Bytes.coefficient({});
  A.Bytes.add({}, -uint64_t(A.Bytes.coefficient({})));
  return isa<Argument, GlobalVariable>(A.Base) ? std::optional(std::move(A)) : std::nullopt;
}

const GridLoop *Communication::loopOf(const Term &T) const {
  for (const GridLoop &G : Control.gridLoops())
    if (T.Is == Term::Opaque && T.Of == G.Index)
      return &G;
  return nullptr;
}

/// Splits \p P into the factors of indices; what is left is the same for all threads.
bool Communication::addFactors(const Polynomial &P, OwnPlace &Place, bool MayExtend) const {
  Place.Bits = P.Bits;
  Place.Narrow |= P.Narrow;
  std::array<Polynomial, 3> Factors;
  Polynomial Rest;
  Rest.Bits = P.Bits;
  for (Polynomial &Factor : Factors)
    Factor.Bits = P.Bits;
  for (const auto &[Product, Coefficient] : P.Products) {
    if (MayExtend && Product.size() == 1 && Product.front().Is == Term::Extended &&
        !IndexTerms::formula(*Product.front().Inner, true)) {
      Polynomial Others = P;
      Others.add(Product, -Coefficient);
      if (!IndexTerms::formula(Others, true) || Coefficient > UINT16_MAX)
        return false;
      Place.Scale = Coefficient;
      return addFactors(*Product.front().Inner, Place, false);
    }
    Polynomial::Product Factor = Product;
    auto Index = find_if(Factor, [&](const Term &T) { return T.Is == Term::Index || loopOf(T); });
    if (Index == Factor.end()) {
      Rest.add(Product, Coefficient);
      continue;
    }
    const GridLoop *Loop = loopOf(*Index);
    unsigned D = Loop ? Loop->Dimension : Index->Dimension;
    std::optional<unsigned> Number = Loop ? std::optional(Loop->Number) : std::nullopt;
    if (!Factors[D].Products.empty() && Place.Loops[D] != Number)
      return false;
    Place.Loops[D] = Number;
    Factor.erase(Index);
    Factors[D].add(Factor, Coefficient);
  }
  for (unsigned D = 0; D < Dim3::size(); ++D) {
    if (Factors[D].Products.empty())
      continue;
    Place.Factors[D] = IndexTerms::formula(Factors[D], true);
    if (!Place.Factors[D])
      return false;
  }
  return IndexTerms::formula(Rest, true).has_value();
}

/// Whether places of some size overlap for neighbours in a dimension, whatever the launch.
static bool overlap(const OwnPlace &Place) {
  return all_of(Place.Factors, [](const auto &Factor) { return !Factor; }) ||
         any_of(Place.Factors, [&](const std::optional<LaunchFormula> &Factor) {
           std::optional<APInt> Weight = Factor ? Factor->constantValue() : std::nullopt;
           return Weight && Weight->abs().getLimitedValue() < divideCeil(Place.Span, Place.Scale);
         });
}

bool Communication::areApart(const ShapeAccess &Write, const ShapeAccess &Read) {
  const DataLayout &DL = Write.I->getDataLayout();
  std::optional<Address> To = addressOf(*Write.Pointer, Control.terms(), DL),
                         From = addressOf(*Read.Pointer, Control.terms(), DL);
  if (!To || !From || !Write.Bytes || !Read.Bytes || To->Base != From->Base || To->Bytes != From->Bytes)
    return false;
  OwnPlace Place;
  Place.Otherwise = obstacleAt(ShapeObstacleKind::Communication, *Read.I);
  Place.Span = uint64_t(std::max(To->Constant + int64_t(Write.Bytes), From->Constant + int64_t(Read.Bytes)) -
                        std::min(To->Constant, From->Constant));
  if (!addFactors(To->Bytes, Place, true) || overlap(Place) || Freedom.Places.size() == MostPlaces)
    return false;
  for (unsigned D = 0; D < Dim3::size(); ++D) {
    SmallVector<unsigned, 2> OfRead = Control.guardsOf(*Read.I->getParent(), D);
    for (unsigned Guard : Control.guardsOf(*Write.I->getParent(), D))
      if (is_contained(OfRead, Guard))
        Place.Guards[D].push_back(Guard);
  }
  Freedom.Places.push_back(std::move(Place));
  return true;
}

/// Additions and subtractions change one number in any order.
static unsigned operationGroup(const AtomicRMWInst &I) {
  return I.getOperation() == AtomicRMWInst::Sub ? AtomicRMWInst::Add : I.getOperation();
}

bool commute(const ShapeAccess &A, const ShapeAccess &B) {
  const auto &OfA = *cast<AtomicRMWInst>(A.I), &OfB = *cast<AtomicRMWInst>(B.I);
  return OfA.getType() == OfB.getType() && operationGroup(OfA) == operationGroup(OfB);
}

/// In the author's grid one thread may make two iterations of a loop over the grid that store to one place,
/// and the later one stays; with another extent they may be two threads'.
static void findOverwriting(const ShapeControl &Control, Communication &Pairs, const ShapeAccess &A,
                            const ShapeAccess &B, BlockShapeFreedom &Freedom) {
  for (const GridLoop &G : Control.gridLoops()) {
    DimensionFreedom &Free = Freedom.Dimensions[G.Dimension];
    bool InLoop = G.L->contains(A.I) || G.L->contains(B.I);
    if (InLoop && !Free.OtherExtent && Pairs.mayMeet(A, B) && !Pairs.areApart(A, B))
      Free.OtherExtent = obstacleAt(ShapeObstacleKind::Communication, *B.I);
  }
}

/// What \p Other reads of what another thread writes by \p Write, or the order in which they come.
static std::optional<ShapeObstacle> findMeeting(Communication &Pairs, const ShapeAccess &Write,
                                                const ShapeAccess &Other) {
  bool Invariant = Other.I->hasMetadata(LLVMContext::MD_invariant_load) || all_of(Other.Objects, isUnseen);
  if (Invariant || !Pairs.mayMeet(Write, Other))
    return std::nullopt;
  if (Write.isAtomic() && Other.isAtomic())
    return commute(Write, Other) ? std::nullopt
                                 : std::optional(obstacleAt(ShapeObstacleKind::Atomic, *Other.I));
  if (Pairs.areApart(Write, Other))
    return std::nullopt;
  return obstacleAt(ShapeObstacleKind::Communication, Other.Writes ? *Write.I : *Other.I);
}

std::optional<ShapeObstacle> findCommunication(const ShapeControl &Control, ArrayRef<ShapeAccess> Accesses,
                                               const ArgumentBuffers &Buffers, BlockShapeFreedom &Freedom) {
  Communication Pairs(Control, Buffers, Freedom);
  for (const ShapeAccess &Write : Accesses) {
    if (!Write.Writes)
      continue;
    for (const ShapeAccess &Other : Accesses)
      if (Other.Writes && !Write.isAtomic() && !Other.isAtomic())
        findOverwriting(Control, Pairs, Write, Other, Freedom);
      else if (std::optional<ShapeObstacle> Meeting = findMeeting(Pairs, Write, Other))
        return Meeting;
  }
  return std::nullopt;
}

} // namespace gpuprune
