//===- JointSums.cpp - Shared arrays that all replicas add to ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "JointSums.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuprune {

static Refusal noJointSum(const Instruction &I, const Value &Array, StringRef Why) {
  return Refusal::at(
      RefusalKind::NoJointSum, I,
      formatv("replicas cannot share '{0}': {1}; with sums=apart each has its own", Array.getName(), Why));
}

/// Whether an operand counts as often as it comes; for the other kinds, once is as good as twice.
static bool addsUp(AtomicRMWInst::BinOp Kind) {
  return is_contained({AtomicRMWInst::Add, AtomicRMWInst::FAdd, AtomicRMWInst::Xor}, Kind);
}

static bool joins(AtomicRMWInst::BinOp Kind) {
  return addsUp(Kind) || is_contained({AtomicRMWInst::Or, AtomicRMWInst::And, AtomicRMWInst::Min,
                                       AtomicRMWInst::Max, AtomicRMWInst::UMin, AtomicRMWInst::UMax},
                                      Kind);
}

static bool ignoresZero(AtomicRMWInst::BinOp Kind) {
  return is_contained({AtomicRMWInst::Add, AtomicRMWInst::Xor, AtomicRMWInst::Or, AtomicRMWInst::UMax}, Kind);
}

/// Whether no part of what \p Pointer may point to belongs to a block or thread alone.
static bool isGlobal(const Value &Pointer) {
  unsigned Space = Pointer.getType()->getPointerAddressSpace();
  if (Space != NVPTXAS::ADDRESS_SPACE_GENERIC && Space != NVPTXAS::ADDRESS_SPACE_GLOBAL)
    return false;
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(&Pointer, Objects, nullptr, /*MaxLookup=*/0);
  return none_of(Objects, [](const Value *Object) {
    const auto *Parameter = dyn_cast<Argument>(Object);
    return isa<AllocaInst>(Object) || isSharedArray(Object) || (Parameter && Parameter->hasByValAttr());
  });
}

namespace {

/// What comes after one of some instructions.
class After {
public:
  explicit After(ArrayRef<Instruction *> Instructions) : Instructions(Instructions) {
    SmallVector<const BasicBlock *, 16> Worklist;
    for (const Instruction *I : Instructions)
      Worklist.append(succ_begin(I->getParent()), succ_end(I->getParent()));
    while (!Worklist.empty()) {
      const BasicBlock *BB = Worklist.pop_back_val();
      if (Blocks.insert(BB).second)
        Worklist.append(succ_begin(BB), succ_end(BB));
    }
  }
  bool contains(const Instruction &I) const {
    return Blocks.contains(I.getParent()) || any_of(Instructions, [&](const Instruction *Before) {
             return Before->getParent() == I.getParent() && Before->comesBefore(&I);
           });
  }

private:
  ArrayRef<Instruction *> Instructions;
  SmallPtrSet<const BasicBlock *, 16> Blocks;
};

/// Decides whether an array is joint, as far as it is the same whatever differs between replicas.
class JointSumFinder {
public:
  JointSumFinder(const ObjectUses &Uses, const AtomicRMWInst &First)
      : Uses(Uses), Kind(First.getOperation()), Type(First.getValOperand()->getType()),
        Bytes(First.getDataLayout().getTypeStoreSize(Type)) {}
  /// \p Accesses are those of the array that matter.
  Verdict run(ArrayRef<Instruction *> Accesses, JointSum &Sum);

private:
  const ObjectUses &Uses;
  AtomicRMWInst::BinOp Kind;
  llvm::Type *Type;
  uint64_t Bytes;

  Verdict refuse(const Instruction &I, StringRef Why) const { return noJointSum(I, *Uses.Object, Why); }
  Verdict checkPointers() const;
  Verdict addAccess(Instruction &Access, JointSum &Sum) const;
  Verdict addAtomic(AtomicRMWInst &Atomic, JointSum &Sum) const;
  Verdict addStore(StoreInst &Store, JointSum &Sum) const;
  Verdict addLoad(LoadInst &Load, JointSum &Sum) const;
  bool isFlush(const User &U, const LoadInst &Load) const;
  bool leavesOutZero(const User &U, const LoadInst &Load) const;
  bool onlyFlushes(const BasicBlock &BB, const LoadInst &Load) const;
  Verdict checkOrder(const JointSum &Sum) const;
};

} // namespace

Verdict JointSumFinder::checkPointers() const {
  for (const Instruction *Pointer : Uses.Pointers)
    if (!pointsOnlyTo(Uses, *Pointer))
      return refuse(*Pointer, "this pointer may be into other memory, too");
  return std::nullopt;
}

Verdict JointSumFinder::addAtomic(AtomicRMWInst &Atomic, JointSum &Sum) const {
  if (!joins(Atomic.getOperation()))
    return refuse(Atomic, "this is no operation by which sums of several blocks are added up");
  if (Atomic.getOperation() != Kind)
    return refuse(Atomic, "another atomic operation on it is of another kind");
  if (Atomic.getValOperand()->getType() != Type)
    return refuse(Atomic, "another atomic operation on it is of another type");
  if (!Atomic.use_empty())
    return refuse(Atomic, "the result of this atomic operation is used");
  if (Atomic.getAlign().value() < Bytes)
    return refuse(Atomic, "this may change parts of two elements");
  Sum.Additions.push_back(&Atomic);
  return std::nullopt;
}

/// Zero may be stored to several elements at once.
Verdict JointSumFinder::addStore(StoreInst &Store, JointSum &Sum) const {
  const Value &Stored = *Store.getValueOperand();
  const auto *Number = dyn_cast<Constant>(&Stored);
  uint64_t Stores = Store.getDataLayout().getTypeStoreSize(Stored.getType());
  bool Zero = Number && (Number->isNullValue() || Number->isZeroValue());
  if (addsUp(Kind) && !Zero)
    return refuse(Store, "this stores something else than the zero that a sum begins with");
  if (Stored.getType() != Type && !(Number && Number->isNullValue() && Stores % Bytes == 0))
    return refuse(Store, "this stores another type than that of the atomic operations");
  if (Store.getAlign().value() < Bytes)
    return refuse(Store, "this may store to parts of two elements");
  Sum.Stores.push_back(&Store);
  return std::nullopt;
}

bool JointSumFinder::isFlush(const User &U, const LoadInst &Load) const {
  const auto *Atomic = dyn_cast<AtomicRMWInst>(&U);
  return Atomic && Atomic->getOperation() == Kind && Atomic->getValOperand() == &Load &&
         Atomic->use_empty() && !Atomic->isVolatile() && isGlobal(*Atomic->getPointerOperand());
}

bool JointSumFinder::onlyFlushes(const BasicBlock &BB, const LoadInst &Load) const {
  return all_of(BB, [&](const Instruction &I) {
    return isFlush(I, Load) || (!I.mayHaveSideEffects() && !isMadeTogether(I));
  });
}

/// Whether \p U compares with zero and all that is done only where it is something else is to flush it.
bool JointSumFinder::leavesOutZero(const User &U, const LoadInst &Load) const {
  const auto *Compare = dyn_cast<ICmpInst>(&U);
  if (!Compare || !ignoresZero(Kind) || !Compare->isEquality() || !match(Compare->getOperand(1), m_Zero()))
    return false;
  return all_of(Compare->users(), [&](const User *Decides) {
    const auto *Branch = dyn_cast<BranchInst>(Decides);
    if (!Branch)
      return false;
    unsigned Other = Compare->getPredicate() == CmpInst::ICMP_NE ? 0 : 1;
    const BasicBlock *From = Branch->getParent(), *Flush = Branch->getSuccessor(Other),
                     *Met = Branch->getSuccessor(1 - Other);
    return Flush != Met && Flush->getSinglePredecessor() == From && Flush->getSingleSuccessor() == Met &&
           onlyFlushes(*Flush, Load) && all_of(Met->phis(), [&](const PHINode &Phi) {
             return Phi.getIncomingValueForBlock(From) == Phi.getIncomingValueForBlock(Flush);
           });
  });
}

Verdict JointSumFinder::addLoad(LoadInst &Load, JointSum &Sum) const {
  if (Load.getType() != Type)
    return refuse(Load, "this loads another type than that of the atomic operations");
  if (Load.getAlign().value() < Bytes)
    return refuse(Load, "this may load parts of two elements");
  for (User *U : Load.users()) {
    if (isFlush(*U, Load))
      Sum.Flushes.push_back(cast<Instruction>(U));
    else if (!leavesOutZero(*U, Load))
      return refuse(*cast<Instruction>(U), "a value read from it is used otherwise than as the operand of an "
                                           "atomic operation of the same kind "
                                           "on global memory whose result is unused");
  }
  Sum.Loads.push_back(&Load);
  return std::nullopt;
}

Verdict JointSumFinder::addAccess(Instruction &Access, JointSum &Sum) const {
  if (Access.isVolatile())
    return refuse(Access, "this access is volatile");
  if (auto *Atomic = dyn_cast<AtomicRMWInst>(&Access))
    return addAtomic(*Atomic, Sum);
  if (auto *Store = dyn_cast<StoreInst>(&Access))
    return addStore(*Store, Sum);
  if (auto *Load = dyn_cast<LoadInst>(&Access))
    return addLoad(*Load, Sum);
  return refuse(Access, "this is no plain load, store or atomic operation");
}

Verdict JointSumFinder::checkOrder(const JointSum &Sum) const {
  After Added(Sum.Additions), Read(Sum.Loads);
  for (const Instruction *Store : Sum.Stores)
    if (Added.contains(*Store) || Read.contains(*Store))
      return refuse(*Store, "this store may come after an atomic operation on it, or after it is read");
  for (const Instruction *Addition : Sum.Additions)
    if (Read.contains(*Addition))
      return refuse(*Addition, "this atomic operation may come after it is read");
  return std::nullopt;
}

Verdict JointSumFinder::run(ArrayRef<Instruction *> Accesses, JointSum &Sum) {
  Sum.Array = Uses.Object;
  if (Verdict Refused = checkPointers())
    return Refused;
  for (bool Atomics : {true, false})
    for (Instruction *Access : Accesses)
      if (isa<AtomicRMWInst>(Access) == Atomics)
        if (Verdict Refused = addAccess(*Access, Sum))
          return Refused;
  if (Sum.Flushes.empty())
    return refuse(*Sum.Additions.front(), "nothing adds it to global memory");
  return checkOrder(Sum);
}

static SetVector<Value *> sharedArraysIn(Function &F, const Untouched &Skip) {
  SetVector<Value *> Arrays;
  for (BasicBlock &BB : F)
    if (!Skip.Blocks.contains(&BB))
      for (Instruction &I : BB)
        for (Value *Operand : I.operands())
          if (isSharedArray(Operand))
            Arrays.insert(Operand);
  return Arrays;
}

JointSums findJointSums(Function &F, const Untouched &Skip) {
  JointSums Found;
  for (Value *Array : sharedArraysIn(F, Skip)) {
    ObjectUses Uses;
    if (collectUses(*Array, F, Uses))
      continue; // Planning says why.
    SmallVector<Instruction *, 16> Accesses;
    for (Instruction &I : instructions(F))
      if (Uses.Accesses.contains(&I) && !Skip.Blocks.contains(I.getParent()))
        Accesses.push_back(&I);
    const auto *First = find_if(Accesses, IsaPred<AtomicRMWInst>);
    if (First == Accesses.end())
      continue;
    JointSum Sum;
    if (Verdict Refused = JointSumFinder(Uses, *cast<AtomicRMWInst>(*First)).run(Accesses, Sum)) {
      if (!Found.WhyNot)
        Found.WhyNot = std::move(Refused);
    } else {
      Found.Arrays.push_back(std::move(Sum));
    }
  }
  if (Found.Arrays.empty() && !Found.WhyNot)
    Found.WhyNot = Refusal::inFunction(RefusalKind::NoJointSum, F,
                                       "there is no shared array to which atomic operations add");
  return Found;
}

Verdict checkOnceForAll(const JointSum &Sum, const SetVector<Instruction *> &Replicated) {
  auto Check = [&](ArrayRef<Instruction *> Accesses, StringRef What) -> Verdict {
    const auto *Differs = find_if(Accesses, [&](Instruction *I) { return Replicated.contains(I); });
    if (Differs == Accesses.end())
      return std::nullopt;
    return noJointSum(**Differs, *Sum.Array, formatv("{0} depends on the block index", What).str());
  };
  if (Verdict Refused = Check(Sum.Stores, "where, what or whether this stores"))
    return Refused;
  if (Verdict Refused = Check(Sum.Loads, "where or whether this reads it"))
    return Refused;
  return Check(Sum.Flushes, "where or whether this adds to global memory");
}

} // namespace gpuprune
