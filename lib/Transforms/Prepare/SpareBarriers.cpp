//===- SpareBarriers.cpp - Barriers that order nothing go -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/SpareBarriers.h"
#include "Facts/Influence.h"
#include "Facts/LoadHazards.h"
#include "gpuprune/Analysis/DeviceOperations.h"
#include "gpuprune/Transforms/Kernels.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// Memory that other threads may see.
struct Access {
  const Value *Object;
  unsigned Space; ///< Of the pointer, which may say more than the object's.
  bool Writes;
};

/// What happens between a barrier and the next ones in one direction.
struct Side {
  SmallVector<Access, 8> Accesses;
  bool HasOther = false; ///< Something of which it is not known what it orders.

  bool empty() const { return Accesses.empty() && !HasOther; }
  void add(const Access &New);
};

} // namespace

void Side::add(const Access &New) {
  for (Access &Known : Accesses)
    if (Known.Object == New.Object && Known.Space == New.Space) {
      Known.Writes |= New.Writes;
      return;
    }
  Accesses.push_back(New);
}

static bool isPrivate(const Value &Object, unsigned Space) {
  return isa<AllocaInst>(Object) || Space == NVPTXAS::ADDRESS_SPACE_LOCAL ||
         Space == NVPTXAS::ADDRESS_SPACE_CONST || Space == NVPTXAS::ADDRESS_SPACE_PARAM;
}

static void addPointer(const Value &Pointer, bool Writes, Side &S) {
  for (const Value *Object : objectsOf(Pointer)) {
    unsigned Space = Pointer.getType()->getPointerAddressSpace();
    if (Space == NVPTXAS::ADDRESS_SPACE_GENERIC)
      Space = Object->getType()->getPointerAddressSpace();
    if (Space == NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER) // The block's own shared memory, too.
      S.HasOther = true;
    else if (!isPrivate(*Object, Space))
      S.add({Object, Space, Writes});
  }
}

static void addEffects(const Instruction &I, Side &S) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (Call && isa<IntrinsicInst>(Call) && cast<IntrinsicInst>(Call)->isAssumeLikeIntrinsic())
    return;
  if (!I.mayReadOrWriteMemory() && !(Call && Call->isConvergent()))
    return;
  if (I.isVolatile() || I.isAtomic()) {
    S.HasOther = true;
  } else if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    if (!Load->hasMetadata(LLVMContext::MD_invariant_load))
      addPointer(*Load->getPointerOperand(), false, S);
  } else if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    addPointer(*Store->getPointerOperand(), true, S);
  } else if (const auto *Copy = dyn_cast<MemIntrinsic>(&I)) {
    addPointer(*Copy->getRawDest(), true, S);
    if (const auto *Transfer = dyn_cast<MemTransferInst>(Copy))
      addPointer(*Transfer->getRawSource(), false, S);
  } else {
    S.HasOther = true;
  }
}

/// Adds \p Instructions; whether they end without a barrier of all.
template <typename RangeT> static bool addUpToBarrier(RangeT Instructions, Side &S) {
  for (const Instruction &I : Instructions) {
    if (isBlockBarrierOfAll(I))
      return false;
    addEffects(I, S);
  }
  return true;
}

/// Adds \p Rest of the block \p Own, and on from there by \p NextOf, of each block what
/// \p InstructionsOf gives.
template <typename RangeT, typename InstructionsFn, typename NextFn>
static Side sideFrom(RangeT Rest, const BasicBlock *Own, InstructionsFn InstructionsOf, NextFn NextOf) {
  Side S;
  SmallSetVector<const BasicBlock *, 16> Blocks;
  if (addUpToBarrier(Rest, S))
    Blocks.insert_range(NextOf(Own));
  for (size_t I = 0; I != Blocks.size(); ++I)
    if (addUpToBarrier(InstructionsOf(*Blocks[I]), S))
      Blocks.insert_range(NextOf(Blocks[I]));
  return S;
}

static Side sideAhead(const Instruction &Barrier) {
  const BasicBlock *Own = Barrier.getParent();
  return sideFrom(
      make_range(std::next(Barrier.getIterator()), Own->end()), Own,
      [](const BasicBlock &BB) { return make_range(BB.begin(), BB.end()); },
      [](const BasicBlock *BB) { return successors(BB); });
}

static Side sideBehind(const Instruction &Barrier) {
  const BasicBlock *Own = Barrier.getParent();
  return sideFrom(
      make_range(std::next(Barrier.getReverseIterator()), Own->rend()), Own,
      [](const BasicBlock &BB) { return make_range(BB.rbegin(), BB.rend()); },
      [](const BasicBlock *BB) { return predecessors(BB); });
}

static bool mayConflict(const Access &A, const Access &B) {
  if (!A.Writes && !B.Writes)
    return false;
  bool Specific = A.Space != NVPTXAS::ADDRESS_SPACE_GENERIC && B.Space != NVPTXAS::ADDRESS_SPACE_GENERIC;
  return !(Specific && A.Space != B.Space) && !isDisjoint(*A.Object, *B.Object);
}

static bool isSpare(const Instruction &Barrier) {
  Side Behind = sideBehind(Barrier), Ahead = sideAhead(Barrier);
  if (Behind.empty() || Ahead.empty())
    return true;
  return !Behind.HasOther && !Ahead.HasOther && none_of(Behind.Accesses, [&](const Access &A) {
    return any_of(Ahead.Accesses, [&](const Access &B) { return mayConflict(A, B); });
  });
}

unsigned dropSpareBarriers(Function &F) {
  SmallVector<Instruction *, 8> Barriers;
  for (Instruction &I : instructions(F))
    if (isSyncThreads(I) && I.getType()->isVoidTy())
      Barriers.push_back(&I);
  if (Barriers.empty())
    return 0;
  Influence OfThread = influenceOfThread(F);
  unsigned Dropped = 0;
  // One that goes makes no other spare: what it was between now lies between others.
  for (Instruction *Barrier : Barriers)
    if (!OfThread.decides(*Barrier->getParent()) && isSpare(*Barrier)) {
      Barrier->eraseFromParent();
      ++Dropped;
    }
  return Dropped;
}

PreservedAnalyses SpareBarriersPass::run(Function &F, FunctionAnalysisManager &) {
  if (!isDeviceModule(*F.getParent()) || !isKernel(F) || dropSpareBarriers(F) == 0)
    return PreservedAnalyses::all();
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

} // namespace gpuprune
