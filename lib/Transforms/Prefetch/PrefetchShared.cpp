//===- PrefetchShared.cpp - Tiles read ahead wait in shared memory ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PrefetchShared.h"
#include "Facts/Operations.h"
#include "FurthestIteration.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;

namespace gpuprune {

namespace {

class AsyncPrefetch {
public:
  AsyncPrefetch(PrefetchPlan &Plan, SharedPrefetch &Shared, unsigned Distance, DomTreeUpdater &DTU,
                LoopInfo &LI)
      : L(*Plan.L), Ahead(*Plan.Ahead), Shared(Shared), Distance(Distance), Furthest(Plan, DTU, LI) {}
  void run();

private:
  Loop &L;
  LoopAhead &Ahead;
  SharedPrefetch &Shared;
  unsigned Distance;
  FurthestIteration Furthest;
  /// Bytes from one buffer to the next, of what a pointer is into; 0 for what has no buffers.
  DenseMap<Value *, Value *> StrideAt;
  PHINode *Reading = nullptr; ///< Number of the buffer of the loop's iteration.

  void makeBuffers();
  Value *offsetAt(Value &Pointer, Value *Buffer, IRBuilder<> &Builder);
  Value *fillingAt(unsigned D, IRBuilder<> &Builder);
  void copyBefore(unsigned D, Instruction &Before);
  void copy(const AsyncCopy &Copy, Value *Filling, IterationValues &Values, IRBuilder<> &Builder);
  Value *strideAt(Value &Pointer);
  void readFromBuffers();
  void closeBuffers();
};

} // namespace

static void callIntrinsic(IRBuilder<> &Builder, Intrinsic::ID ID, ArrayRef<Value *> Operands) {
  Builder.CreateIntrinsic(Type::getVoidTy(Builder.getContext()), ID, Operands);
}

void AsyncPrefetch::makeBuffers() {
  BasicBlock &Entry = L.getHeader()->getParent()->getEntryBlock();
  DynamicMemory NoDynamic;
  DynamicMemory &Dynamic = Shared.Dynamic ? *Shared.Dynamic : NoDynamic;
  SmallVector<Value *, 1> NoBases;
  for (PrivateArray &Array : Shared.Arrays) {
    Array.Based = false; // Which buffer is read changes with each iteration.
    IRBuilder<> First(&*Entry.getFirstNonPHIOrDbgOrAlloca());
    Value *Stride = Array.isDynamic() ? Dynamic.bytes(First, 1) : nullptr;
    CopyPlaces Places = privatise(Array, Distance + 1, Dynamic, NoBases);
    StrideAt[Array.Uses.Object] = Stride ? Stride : First.getInt32(Places.Between);
  }
  IRBuilder<> Builder(&*L.getHeader()->begin());
  Reading = Builder.CreatePHI(Builder.getInt32Ty(), 2, "buffer");
}

/// As a product, so that the alignment of what lies there stays known.
Value *AsyncPrefetch::offsetAt(Value &Pointer, Value *Buffer, IRBuilder<> &Builder) {
  return Builder.CreateMul(Buffer, strideAt(Pointer), "", /*HasNUW=*/true, /*HasNSW=*/true);
}

/// The number of the buffer of iteration \p D, or of that D ahead of the loop's own:
/// (k + D) % (D + 1) is (k - 1) % (D + 1).
Value *AsyncPrefetch::fillingAt(unsigned D, IRBuilder<> &Builder) {
  if (D < Distance)
    return Builder.getInt32(D);
  if (Distance == 1)
    return Builder.CreateXor(Reading, Builder.getInt32(1));
  return Builder.CreateSelect(Builder.CreateIsNull(Reading), Builder.getInt32(Distance),
                              Builder.CreateSub(Reading, Builder.getInt32(1)));
}

/// Carries the number around the loop, once all blocks are there.
void AsyncPrefetch::closeBuffers() {
  IRBuilder<> Builder(L.getLoopLatch()->getTerminator());
  Value *First = Builder.getInt32(0), *Last = Builder.getInt32(Distance), *One = Builder.getInt32(1);
  Value *Next = Distance == 1 ? Builder.CreateXor(Reading, One)
                              : Builder.CreateSelect(Builder.CreateICmpEQ(Reading, Last), First,
                                                     Builder.CreateAdd(Reading, One));
  Reading->addIncoming(First, L.getLoopPreheader());
  Reading->addIncoming(Next, L.getLoopLatch());
}

static Intrinsic::ID copyOf(unsigned Bytes) {
  switch (Bytes) {
  case 4:
    return Intrinsic::nvvm_cp_async_ca_shared_global_4;
  case 8:
    return Intrinsic::nvvm_cp_async_ca_shared_global_8;
  default:
    return Intrinsic::nvvm_cp_async_cg_shared_global_16;
  }
}

void AsyncPrefetch::copy(const AsyncCopy &Copy, Value *Filling, IterationValues &Values,
                         IRBuilder<> &Builder) {
  Builder.SetCurrentDebugLocation(Copy.Load->getDebugLoc());
  Value *To = Ahead.evaluate(*Copy.Store->getPointerOperand(), Values, Builder);
  Value *From = Ahead.evaluate(*Copy.Load->getPointerOperand(), Values, Builder);
  Value *Buffer =
      Builder.CreateInBoundsPtrAdd(To, offsetAt(*Shared.Arrays[Copy.Array].Uses.Object, Filling, Builder));
  callIntrinsic(Builder, copyOf(Copy.Bytes), {Buffer, From});
}

/// The copies of iteration \p D, where it exists, and the end of their group, in any case: what
/// waits counts groups.
void AsyncPrefetch::copyBefore(unsigned D, Instruction &Before) {
  IterationValues Values = Furthest.values();
  Instruction &End = Furthest.guard({}, Values, Before);
  IRBuilder<> Inside(&End);
  Value *Filling = fillingAt(D, Inside);
  for (const AsyncCopy &Copy : Shared.Copies)
    copy(Copy, Filling, Values, Inside);
  IRBuilder<> Behind(&Before);
  callIntrinsic(Behind, Intrinsic::nvvm_cp_async_commit_group, {});
}

/// Chosen as the pointer is, where that may be into several arrays or elsewhere.
Value *AsyncPrefetch::strideAt(Value &Pointer) {
  if (Value *Known = StrideAt.lookup(&Pointer))
    return Known;
  Type *Int32 = Type::getInt32Ty(Pointer.getContext());
  auto *I = dyn_cast<Instruction>(&Pointer);
  if (auto *Phi = dyn_cast_or_null<PHINode>(I)) {
    PHINode *Stride = PHINode::Create(Int32, Phi->getNumIncomingValues(), "stride", Phi->getIterator());
    StrideAt[Phi] = Stride; // Before its operands: one of them may follow from it.
    for (auto [From, Block] : zip(Phi->incoming_values(), Phi->blocks()))
      Stride->addIncoming(strideAt(*From), Block);
    return Stride;
  }
  Value *Stride = ConstantInt::get(Int32, 0);
  if (auto *Select = dyn_cast_or_null<SelectInst>(I))
    Stride = SelectInst::Create(Select->getCondition(), strideAt(*Select->getTrueValue()),
                                strideAt(*Select->getFalseValue()), "stride", Select->getIterator());
  else if (isa_and_nonnull<GetElementPtrInst, AddrSpaceCastInst>(I))
    Stride = strideAt(*I->getOperand(0));
  return StrideAt[&Pointer] = Stride;
}

void AsyncPrefetch::readFromBuffers() {
  SmallPtrSet<Instruction *, 16> Done; // What may read several arrays is an access to each.
  for (const PrivateArray &Array : Shared.Arrays)
    for (Instruction *Access : Array.Uses.Accesses) {
      if (isa<StoreInst>(Access) || !Done.insert(Access).second)
        continue;
      Value *Pointer = accessedPointer(*Access);
      IRBuilder<> Builder(Access);
      Access->replaceUsesOfWith(Pointer,
                                Builder.CreateInBoundsPtrAdd(Pointer, offsetAt(*Pointer, Reading, Builder)));
    }
}

void AsyncPrefetch::run() {
  makeBuffers();
  if (Shared.BarrierBefore) {
    IRBuilder<> Before(L.getLoopPreheader()->getTerminator());
    createBlockBarrier(Before);
  }
  Furthest.run(Distance, [&](unsigned D, Instruction &Before) { copyBefore(D, Before); });
  readFromBuffers();
  for (auto [Load, Store] : Shared.Replaced) {
    Store->eraseFromParent();
    Load->eraseFromParent();
  }
  IRBuilder<> Builder(Shared.Barrier);
  callIntrinsic(Builder, Intrinsic::nvvm_cp_async_wait_group, {Builder.getInt32(Distance - 1)});
  for (Instruction *Barrier : Shared.NeedlessBarriers)
    Barrier->eraseFromParent();
  closeBuffers();
}

void prefetchToShared(PrefetchPlan &Plan, SharedPrefetch &Shared, unsigned Distance, DomTreeUpdater &DTU,
                      LoopInfo &LI) {
  Plan.Barrier = Shared.Barrier;
  AsyncPrefetch(Plan, Shared, Distance, DTU, LI).run();
}

} // namespace gpuprune
