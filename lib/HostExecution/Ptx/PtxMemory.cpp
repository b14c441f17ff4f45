//===- PtxMemory.cpp - PTX instructions on memory ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Engine/ThreadContext.h"
#include "PtxLowering.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

/// An address of any space as a pointer of this machine. Shared addresses may have
/// only their lower 32 bits left; the block's shared memory tells the rest.
Value *PtxLowering::address(PtxOperation &Op, Value *Operand) {
  StringRef Space = Op.takeOne({"global", "shared::cta", "shared", "const", "local"});
  if (!Space.starts_with("shared") || Operand->getType()->getPrimitiveSizeInBits() == 64 ||
      Operand->getType()->isPointerTy())
    return as(Operand, B.getPtrTy());
  Value *Base = as(Threads.threadField(B, B.getPtrTy(), offsetof(ThreadContext, Shared)), i64());
  Value *Distance = B.CreateSub(as(Operand, i32()), B.CreateTrunc(Base, i32()));
  return as(B.CreateAdd(Base, B.CreateSExt(Distance, i64())), B.getPtrTy());
}

static unsigned takeVector(PtxOperation &Op) {
  StringRef Vector = Op.takeOne({"v2", "v4", "v8"});
  return Vector.empty() ? 1 : Vector.back() - '0';
}

/// What tells caches what to expect, and changes no result.
static void takeCacheHints(PtxOperation &Op) {
  Op.takeOne({"ca", "cg", "cs", "lu", "cv", "wb", "wt"});
  Op.take("nc");
  Op.takeOne(
      {"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last", "L1::no_allocate"});
  Op.takeOne({"L2::64B", "L2::128B", "L2::256B"});
}

namespace {
/// How strong a load or store is.
struct MemoryOrder {
  AtomicOrdering Ordering = AtomicOrdering::NotAtomic;
  bool Volatile = false;
};
} // namespace

static void takeScope(PtxOperation &Op) { Op.takeOne({"cta", "cluster", "gpu", "sys"}); }

static MemoryOrder takeOrder(PtxOperation &Op) {
  MemoryOrder Order;
  Order.Ordering = StringSwitch<AtomicOrdering>(Op.takeOne({"relaxed", "acquire", "release", "weak"}))
                       .Case("relaxed", AtomicOrdering::Monotonic)
                       .Case("acquire", AtomicOrdering::Acquire)
                       .Case("release", AtomicOrdering::Release)
                       .Default(AtomicOrdering::NotAtomic);
  takeScope(Op);
  Order.Volatile = Op.take("volatile");
  return Order;
}

PtxLowering::Values PtxLowering::lowerLd(PtxOperation &Op, Sources X) {
  Value *Address = address(Op, X[0]);
  takeCacheHints(Op);
  MemoryOrder Order = takeOrder(Op);
  unsigned Count = takeVector(Op);
  PtxType T = Op.type();
  Values Results;
  for (unsigned I = 0; I < Count; ++I) {
    Value *Element = B.CreateConstInBoundsGEP1_64(typeOf(T), Address, I);
    LoadInst *Load = B.CreateAlignedLoad(typeOf(T), Element, Align(T.bits() / 8), Order.Volatile);
    Load->setOrdering(Order.Ordering);
    Results.push_back(T.isSigned() && T.Width < 32 ? B.CreateSExt(Load, i32()) : static_cast<Value *>(Load));
  }
  return Results;
}

PtxLowering::Values PtxLowering::lowerLdu(PtxOperation &Op, Sources X) { return lowerLd(Op, X); }

PtxLowering::Values PtxLowering::lowerSt(PtxOperation &Op, Sources X) {
  Value *Address = address(Op, X[0]);
  takeCacheHints(Op);
  MemoryOrder Order = takeOrder(Op);
  unsigned Count = takeVector(Op);
  PtxType T = Op.type();
  if (X.size() != Count + 1)
    return {nullptr};
  for (unsigned I = 0; I < Count; ++I) {
    Value *Element = B.CreateConstInBoundsGEP1_64(typeOf(T), Address, I);
    StoreInst *Store =
        B.CreateAlignedStore(as(X[1 + I], typeOf(T)), Element, Align(T.bits() / 8), Order.Volatile);
    Store->setOrdering(Order.Ordering);
  }
  return {};
}

static AtomicRMWInst::BinOp atomicOperation(StringRef Name, PtxType T) {
  if (T.isFloat())
    return StringSwitch<AtomicRMWInst::BinOp>(Name)
        .Case("add", AtomicRMWInst::FAdd)
        .Case("min", AtomicRMWInst::FMin)
        .Case("max", AtomicRMWInst::FMax)
        .Default(AtomicRMWInst::BAD_BINOP);
  return StringSwitch<AtomicRMWInst::BinOp>(Name)
      .Case("add", AtomicRMWInst::Add)
      .Case("exch", AtomicRMWInst::Xchg)
      .Case("min", T.isSigned() ? AtomicRMWInst::Min : AtomicRMWInst::UMin)
      .Case("max", T.isSigned() ? AtomicRMWInst::Max : AtomicRMWInst::UMax)
      .Case("inc", AtomicRMWInst::UIncWrap)
      .Case("dec", AtomicRMWInst::UDecWrap)
      .Case("and", AtomicRMWInst::And)
      .Case("or", AtomicRMWInst::Or)
      .Case("xor", AtomicRMWInst::Xor)
      .Default(AtomicRMWInst::BAD_BINOP);
}

/// Atomic on this machine too: blocks run on several cores at once.
PtxLowering::Values PtxLowering::atomic(PtxOperation &Op, Sources X) {
  Value *Address = address(Op, X[0]);
  Op.takeOne({"relaxed", "acquire", "release", "acq_rel"});
  takeScope(Op);
  Op.take("noftz");
  PtxType T = Op.type();
  Type *Type = typeOf(T);
  MaybeAlign Alignment(T.bits() / 8);
  constexpr AtomicOrdering Ordering = AtomicOrdering::SequentiallyConsistent;
  if (Op.take("cas")) {
    auto *Word = B.getIntNTy(T.bits());
    Value *Pair =
        B.CreateAtomicCmpXchg(Address, as(X[1], Word), as(X[2], Word), Alignment, Ordering, Ordering);
    return {B.CreateExtractValue(Pair, 0)};
  }
  StringRef Name = Op.takeOne({"add", "exch", "min", "max", "inc", "dec", "and", "or", "xor"});
  AtomicRMWInst::BinOp Operation = atomicOperation(Name, T);
  if (Operation == AtomicRMWInst::BAD_BINOP || Op.typeCount() != 1)
    return {nullptr};
  if (T.Kind == PtxType::BFloat || T.Lanes > 1) // No instruction of IR fits.
    return {onThread("gpuprune_atomic_packed", i32(),
                     {Address, as(X[1], i32()), B.getInt32(T.Kind == PtxType::BFloat), B.getInt32(T.Lanes),
                      B.getInt32(Operation == AtomicRMWInst::FAdd   ? 0
                                 : Operation == AtomicRMWInst::FMin ? 1
                                                                    : 2)})};
  return {B.CreateAtomicRMW(Operation, Address, as(X[1], Type), Alignment, Ordering)};
}

PtxLowering::Values PtxLowering::lowerAtom(PtxOperation &Op, Sources X) { return atomic(Op, X); }
PtxLowering::Values PtxLowering::lowerRed(PtxOperation &Op, Sources X) {
  Values Result = atomic(Op, X);
  return Result.front() ? Values() : Result;
}

PtxLowering::Values PtxLowering::lowerFence(PtxOperation &Op, Sources) {
  Op.takeOne({"sc", "acq_rel"});
  Op.takeOne({"cta", "cluster", "gpu", "sys", "gl"});
  B.CreateFence(AtomicOrdering::SequentiallyConsistent);
  return {};
}
PtxLowering::Values PtxLowering::lowerMembar(PtxOperation &Op, Sources X) { return lowerFence(Op, X); }

/// The address is not looked at: a prefetch of anything is allowed.
PtxLowering::Values PtxLowering::lowerPrefetch(PtxOperation &Op, Sources) {
  Op.takeOne({"global", "local"});
  Op.takeOne({"L1", "L2", "L2::evict_last", "L2::evict_normal"});
  return {};
}
PtxLowering::Values PtxLowering::lowerPrefetchu(PtxOperation &Op, Sources X) { return lowerPrefetch(Op, X); }

/// cp.async and its groups; bulk copies are not known.
PtxLowering::Values PtxLowering::lowerCp(PtxOperation &Op, Sources X) {
  if (!Op.take("async"))
    return {nullptr};
  Type *Void = B.getVoidTy();
  if (Op.take("commit_group"))
    return onThread("gpuprune_cp_async_commit", Void, {}), Values();
  if (Op.take("wait_all"))
    return onThread("gpuprune_cp_async_wait", Void, {B.getInt32(0), B.getInt32(1)}), Values();
  if (Op.take("wait_group"))
    return onThread("gpuprune_cp_async_wait", Void, {as(X[0], i32()), B.getInt32(0)}), Values();
  takeCacheHints(Op);
  if (X.size() < 3 || !(Op.take("shared") || Op.take("shared::cta")) || !Op.take("global"))
    return {nullptr};
  PtxOperation Shared("ld.shared.b32");
  Value *Size = as(X[2], i32());
  onThread("gpuprune_cp_async", Void,
           {address(Shared, X[0]), as(X[1], B.getPtrTy()), Size, X.size() > 3 ? as(X[3], i32()) : Size});
  return {};
}

PtxLowering::Values PtxLowering::lowerCvta(PtxOperation &Op, Sources X) {
  Op.take("to");
  PtxOperation Space(Op.text());
  Value *Address = address(Space, X[0]);
  Op.takeOne({"global", "shared::cta", "shared", "const", "local"});
  return {as(Address, typeOf(Op.type()))};
}

PtxLowering::Values PtxLowering::lowerIsspacep(PtxOperation &Op, Sources X) {
  StringRef Space = Op.takeOne({"global", "shared::cta", "shared::cluster", "shared", "const", "local"});
  uint32_t Number = StringSwitch<uint32_t>(Space)
                        .Case("global", NVPTXAS::ADDRESS_SPACE_GLOBAL)
                        .Case("local", NVPTXAS::ADDRESS_SPACE_LOCAL)
                        .Case("const", NVPTXAS::ADDRESS_SPACE_CONST)
                        .Default(NVPTXAS::ADDRESS_SPACE_SHARED);
  return {B.CreateTrunc(onThread("gpuprune_isspacep", i32(), {as(X[0], B.getPtrTy()), B.getInt32(Number)}),
                        i1())};
}

} // namespace gpuprune
