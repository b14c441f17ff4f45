//===- Origins.cpp - What values of a kernel over a grid come from -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Origins.h"
#include "Facts/LoadHazards.h"
#include "Facts/Operations.h"
#include "gpuprune/Analysis/DeviceOperations.h"
#include "gpuprune/Analysis/SharedMemory.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace gpuprune {

bool isSumOfNothing(const Value &V) {
  const auto *C = dyn_cast<Constant>(&V);
  return C && (C->isNullValue() || C->isNegativeZeroValue()) && !V.getType()->isPointerTy();
}

const Value *sharedArrayOf(const Value &Pointer) {
  const Value *Array = nullptr;
  for (const Value *Object : objectsOf(Pointer)) {
    const auto *Variable = dyn_cast<GlobalVariable>(Object);
    if (!isSharedArray(Object) || (Array && Array != Object))
      return nullptr;
    Array = Object;
    // All of them begin at one address.
    if (isDynamicShared(*Variable))
      for (const GlobalVariable &Other : Variable->getParent()->globals())
        if (isSharedArray(&Other) && isDynamicShared(Other)) {
          Array = &Other;
          break;
        }
  }
  return Array;
}

const GridStride *Origins::loopOf(const Instruction &I) const {
  for (const GridStride &G : Loops)
    if (G.L->contains(&I))
      return &G;
  return nullptr;
}

Origins::Known Origins::known(const Value &V) const {
  if (!isa<Instruction>(V))
    return {Origin::Alike};
  return Values.lookup(&V);
}

Origins::Known Origins::seenBy(const Value &V, const Instruction &User) const {
  Known K = known(V);
  const auto *I = dyn_cast<Instruction>(&V);
  const GridStride *G = I ? loopOf(*I) : nullptr;
  if (!G || G->L->contains(&User) || K.Of == Origin::Unknown)
    return K;
  // What a thread has without an iteration is not known here; ofPhi() is told.
  return K.Of == Origin::Running && G->after(*K.First) == &V ? Known{Origin::Sum, K.First}
                                                             : Known{Origin::Other};
}

Origin Origins::of(const Value &V, const Instruction &User) const { return seenBy(V, User).Of; }

const PHINode *Origins::runningSum(const Value &V) const {
  Known K = known(V);
  return K.Of == Origin::Running ? K.First : nullptr;
}

Origin Origins::ofArray(const Value &Array) const {
  auto Found = Arrays.find(&Array);
  return Found == Arrays.end() ? Origin::Alike : Found->second;
}

/// What \p I makes of operands that are the same in all blocks, or computed from the block's place.
Origin Origins::ofOperands(const Instruction &I) const {
  bool Places = false;
  for (const Value *Operand : I.operands()) {
    Origin Of = of(*Operand, I);
    if (Of == Origin::Unknown)
      return Of;
    Places |= Of == Origin::Place;
    if (Of != Origin::Alike && Of != Origin::Place)
      return Origin::Other;
  }
  if (!Places)
    return Origin::Alike;
  bool IsArithmetic = isa<BinaryOperator, CastInst, ICmpInst>(I) || I.getOpcode() == Instruction::Freeze;
  return IsArithmetic ? Origin::Place : Origin::Other;
}

/// One of \p Among, chosen alike in all blocks, or the sum of all.
Origin Origins::joined(const Instruction &I, ArrayRef<const Value *> Among) const {
  bool Sums = false, Alike = false, Nothing = true;
  for (const Value *V : Among) {
    Origin Of = of(*V, I);
    if (Of == Origin::Unknown)
      continue;
    if (Of != Origin::Sum && Of != Origin::Alike)
      return Origin::Other;
    Sums |= Of == Origin::Sum;
    Alike |= Of == Origin::Alike;
    Nothing &= Of == Origin::Sum || isSumOfNothing(*V);
  }
  if (Sums)
    return Nothing ? Origin::Sum : Origin::Other;
  return Alike ? Origin::Alike : Origin::Unknown;
}

/// Whether \p Product is nothing where what it multiplies by \p Factor is. A number that is infinite or none
/// makes a NaN of zero.
static bool keepsNothing(const Instruction &Product, const Value &Factor) {
  if (!Factor.getType()->isFPOrFPVectorTy())
    return true;
  FastMathFlags Promised = Product.getFastMathFlags();
  return (Promised.noNaNs() && Promised.noInfs()) ||
         isKnownNeverInfOrNaN(&Factor, SimplifyQuery(Product.getDataLayout(), &Product));
}

/// Whether operand \p Sum of \p Product is a sum and operand \p Factor something that it may be multiplied
/// by.
bool Origins::scales(const Instruction &Product, unsigned Sum, unsigned Factor) const {
  return of(*Product.getOperand(Sum), Product) == Origin::Sum &&
         of(*Product.getOperand(Factor), Product) == Origin::Alike &&
         keepsNothing(Product, *Product.getOperand(Factor));
}

/// A product, of which one factor may be a sum.
Origin Origins::product(const Instruction &I) const {
  bool MayBeRight = I.getOpcode() != Instruction::Shl && scales(I, 1, 0);
  return MayBeRight || scales(I, 0, 1) ? Origin::Sum : ofOperands(I);
}

/// Whether a sum is zero; a sum below zero may be one of parts above it.
Origin Origins::ofCompare(const Instruction &I) const {
  const auto &Compare = cast<ICmpInst>(I);
  if (of(*I.getOperand(0), I) != Origin::Sum)
    return ofOperands(I);
  const auto *C = dyn_cast<ConstantInt>(I.getOperand(1));
  if (!C)
    return Origin::Other;
  switch (Compare.getPredicate()) {
  case CmpInst::ICMP_NE:
  case CmpInst::ICMP_UGT:
    return C->isZero() ? Origin::NonZero : Origin::Other;
  case CmpInst::ICMP_EQ:
    return C->isZero() ? Origin::Zero : Origin::Other;
  case CmpInst::ICMP_ULT:
    return C->isOne() ? Origin::Zero : Origin::Other;
  default:
    return Origin::Other;
  }
}

Origin Origins::ofLoad(const Instruction &Load) const {
  const Value &Pointer = *getLoadStorePointerOperand(&Load);
  Origin Of = of(Pointer, Load);
  const Value *Array = sharedArrayOf(Pointer);
  if (Of == Origin::Alike && Array)
    return ofArray(*Array);
  return Of == Origin::Alike || Of == Origin::Unknown ? Of : Origin::Other;
}

/// The operand whose value other lanes get, where \p Call is a shuffle; nothing for other calls.
static std::optional<unsigned> shuffled(const CallBase &Call) {
  bool IsShuffle =
      isa<IntrinsicInst>(Call) && isOperation(Call, OperationKind::Shuffle) && Call.arg_size() == 4;
  return IsShuffle && !Call.getType()->isStructTy() ? std::optional(1u) : std::nullopt;
}

static Origin ofRegister(const SpecialRegister &Register) {
  bool IsPlace = Register.Dimension == 0 && (Register.Family == RegisterFamily::BlockIndex ||
                                             Register.Family == RegisterFamily::GridExtent);
  bool IsAlike = Register.isGeometry() || Register.Family == RegisterFamily::Lane ||
                 Register.Family == RegisterFamily::WarpSize || Register.Family == RegisterFamily::SharedSize;
  return IsPlace ? Origin::Place : IsAlike ? Origin::Alike : Origin::Other;
}

static bool isFused(const Instruction &I) {
  const auto *Known = dyn_cast<IntrinsicInst>(&I);
  return Known && is_contained({Intrinsic::fma, Intrinsic::fmuladd}, Known->getIntrinsicID());
}

/// What a shuffle or a fused multiply-add makes of sums; nothing for other calls, and without sums.
std::optional<Origin> Origins::ofLinearCall(const CallBase &Call) const {
  auto Is = [&](unsigned N, Origin Wanted) { return of(*Call.getArgOperand(N), Call) == Wanted; };
  if (std::optional<unsigned> Moved = shuffled(Call); Moved && Is(*Moved, Origin::Sum))
    return Is(0, Origin::Alike) && Is(2, Origin::Alike) && Is(3, Origin::Alike) ? Origin::Sum : Origin::Other;
  if (!isFused(Call))
    return std::nullopt;
  // A product that is the same in each block is added once by each: no sum.
  if (scales(Call, 0, 1) || scales(Call, 1, 0))
    return Is(2, Origin::Sum) || isSumOfNothing(*Call.getArgOperand(2)) ? Origin::Sum : Origin::Other;
  return std::nullopt;
}

Origin Origins::ofCall(const CallBase &Call) const {
  if (const SpecialRegister *Register = specialRegister(Call))
    return ofRegister(*Register);
  if (std::optional<Origin> Linear = ofLinearCall(Call))
    return *Linear;
  bool IsPure = Call.doesNotAccessMemory() || Call.onlyAccessesInaccessibleMemory() ||
                isOperation(Call, OperationKind::Shuffle) || isOperation(Call, OperationKind::Vote);
  bool TellsLanes = isOperation(Call, OperationKind::ActiveMask);
  Origin Of = ofOperands(Call);
  return IsPure && !TellsLanes && (Of == Origin::Alike || Of == Origin::Unknown) ? Of : Origin::Other;
}

/// Whether what is linear in sums behind \p G, before the way without an iteration comes in, is linear in
/// what \p G has added up to nothing, and in nothing else.
bool Origins::makesAllSums(const GridStride &G) const {
  return Loops.size() == 1 && !G.L->getParentLoop() &&
         all_of(G.L->getHeader()->phis(),
                [&](const PHINode &Phi) { return &Phi == G.Index || isSumOfNothing(*G.before(Phi)); }) &&
         none_of(G.Between, [](const BasicBlock *BB) { return any_of(*BB, IsaPred<LoadInst>); });
}

Origins::Known Origins::ofPhi(const PHINode &Phi) const {
  SmallVector<const Value *, 4> Incoming(Phi.incoming_values());
  if (Incoming.size() == 1)
    return seenBy(*Incoming.front(), Phi);
  const GridStride *Meeting = nullptr;
  for (const GridStride &G : Loops)
    if (G.Merge == Phi.getParent())
      Meeting = &G;
  if (!Meeting)
    return {joined(Phi, Incoming)};
  if (Phi.hasConstantValue() && of(*Incoming.front(), Phi) == Origin::Alike)
    return {Origin::Alike};
  bool IsAlone = makesAllSums(*Meeting);
  auto RanIn = [&](const Known &K) {
    return K.Of == Origin::Sum && (IsAlone || (K.First && K.First->getParent() == Meeting->L->getHeader()));
  };
  // A sum, where without an iteration it is as it was.
  for (const Value *V : Incoming) {
    Known K = seenBy(*V, Phi);
    if (K.Of == Origin::Unknown || RanIn(K))
      continue;
    bool IsBefore = any_of(Incoming, [&](const Value *Other) {
      Known Of = seenBy(*Other, Phi);
      return Of.Of == Origin::Unknown ||
             (RanIn(Of) && (IsAlone ? isSumOfNothing(*V) : Meeting->before(*Of.First) == V));
    });
    if (!IsBefore || (K.Of != Origin::Sum && !isSumOfNothing(*V)))
      return {Origin::Other};
  }
  return {Origin::Sum};
}

Origin Origins::outside(const Instruction &I) const {
  switch (I.getOpcode()) {
  case Instruction::Select:
    if (Origin Of = of(*I.getOperand(0), I); Of != Origin::Alike)
      return Of == Origin::Unknown ? Of : Origin::Other;
    return joined(I, {I.getOperand(1), I.getOperand(2)});
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::FAdd:
  case Instruction::FSub:
    if (any_of(I.operands(), [&](const Value *V) { return of(*V, I) == Origin::Sum; }))
      return joined(I, {I.getOperand(0), I.getOperand(1)});
    return ofOperands(I);
  case Instruction::Mul:
  case Instruction::FMul:
  case Instruction::Shl:
    return product(I);
  case Instruction::Trunc:
  case Instruction::FNeg:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::Freeze:
    return of(*I.getOperand(0), I) == Origin::Sum ? Origin::Sum : ofOperands(I);
  case Instruction::ICmp:
    return ofCompare(I);
  case Instruction::Load:
    return ofLoad(I);
  case Instruction::Call:
    return ofCall(cast<CallBase>(I));
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
  case Instruction::Alloca:
    return Origin::Other;
  default:
    return ofOperands(I);
  }
}

/// Whether \p I, of whose operands so many are one running sum, is that sum plus something.
bool Origins::continues(const Instruction &I, unsigned Sums, unsigned Others) const {
  switch (I.getOpcode()) {
  case Instruction::PHI:
  case Instruction::Freeze:
    return Others == 0;
  case Instruction::Select:
    return Sums == 2 && !runningSum(*I.getOperand(0));
  case Instruction::Add:
  case Instruction::FAdd:
    return Sums == 1 && Others == 1;
  case Instruction::Sub:
  case Instruction::FSub:
    return Sums == 1 && Others == 1 && runningSum(*I.getOperand(0));
  default:
    return isFused(I) && Sums == 1 && runningSum(*I.getOperand(2));
  }
}

/// The sum that \p I continues, if it does: acc + x, one way or the other to it, or acc as it is.
Origins::Known Origins::running(const Instruction &I) const {
  const PHINode *First = nullptr;
  unsigned Sums = 0, Others = 0;
  for (const Value *Operand : I.operands()) {
    Known K = known(*Operand);
    if (K.Of == Origin::Unknown && isa<PHINode>(I))
      continue;
    bool IsSum = K.Of == Origin::Running;
    if (IsSum && First && K.First != First)
      return {Origin::Other};
    First = IsSum ? K.First : First;
    ++(IsSum ? Sums : Others);
  }
  return continues(I, Sums, Others) ? Known{Origin::Running, First} : Known{Origin::Other};
}

Origins::Known Origins::inLoop(const Instruction &I, const GridStride &G) const {
  if (&I == G.Index || &I == G.Next)
    return {Origin::Iteration};
  const auto *Phi = dyn_cast<PHINode>(&I);
  if (Phi && Phi->getParent() == G.L->getHeader())
    return {Origin::Running, Phi};
  if (isa<AtomicRMWInst, AtomicCmpXchgInst, AllocaInst>(I))
    return {Origin::Other};
  bool Varies = Phi != nullptr, IsSeen = false;
  for (const Value *Operand : I.operands()) {
    Origin Of = known(*Operand).Of;
    if (Of == Origin::Unknown && !Phi)
      return {};
    IsSeen |= Of != Origin::Unknown;
    if (Of == Origin::Running)
      return running(I);
    Varies |= Of == Origin::Iteration;
    if (Of > Origin::Iteration)
      return {Origin::Other};
  }
  if (Phi && !IsSeen)
    return {};
  const Value *Pointer = isa<LoadInst>(I) ? getLoadStorePointerOperand(&I) : nullptr;
  if (const Value *Array = Pointer ? sharedArrayOf(*Pointer) : nullptr;
      Array && ofArray(*Array) != Origin::Alike)
    return {Origin::Other};
  if (!Varies)
    return {outside(I)};
  bool TakesPlace = any_of(I.operands(), [&](const Value *V) { return known(*V).Of == Origin::Place; });
  const auto *Call = dyn_cast<CallBase>(&I);
  bool IsPure = !Call || ((Call->doesNotAccessMemory() || Call->onlyAccessesInaccessibleMemory()) &&
                          !isMadeTogether(I));
  return {TakesPlace || !IsPure ? Origin::Other : Origin::Iteration};
}

Origins::Known Origins::computed(const Instruction &I) const {
  if (const GridStride *G = loopOf(I))
    return inLoop(I, *G);
  if (const auto *Phi = dyn_cast<PHINode>(&I))
    return ofPhi(*Phi);
  return {outside(I)};
}

/// Takes down that \p I keeps sums in a shared array; whether that is new.
bool Origins::noteArray(const Instruction &I) {
  const auto *Store = dyn_cast<StoreInst>(&I);
  const Value *Pointer = Store || isa<AtomicRMWInst>(I) ? accessedPointer(I) : nullptr;
  const Value *Array = Pointer ? sharedArrayOf(*Pointer) : nullptr;
  if (!Array || (Store && of(*Store->getValueOperand(), I) != Origin::Sum))
    return false;
  return std::exchange(Arrays[Array], Origin::Sum) != Origin::Sum;
}

Origins::Origins(Function &F, ArrayRef<GridStride> Loops) : Loops(Loops) {
  ReversePostOrderTraversal<Function *> Order(&F);
  // An origin only grows in the order of its enumerators, so that this ends.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BasicBlock *BB : Order)
      for (const Instruction &I : *BB) {
        Known At = Values.lookup(&I);
        Known Now = At.Of == Origin::Other ? At : computed(I);
        if (!(Now == At)) {
          Values[&I] = Now.Of < At.Of ? Known{Origin::Other} : Now;
          Changed = true;
        }
        Changed |= noteArray(I);
      }
  }
}

} // namespace gpuprune
