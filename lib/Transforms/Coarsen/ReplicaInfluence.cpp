//===- ReplicaInfluence.cpp - What differs between replicas ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReplicaInfluence.h"
#include "Facts/BlockReductions.h"
#include "FastPath.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace gpuprune {

using ObjectSet = SmallPtrSet<const Value *, 8>;

static SmallVector<const Value *, 4> objectsOf(const Value *Pointer) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, nullptr, /*MaxLookup=*/0);
  return Objects;
}

bool isOncePerReplica(const Instruction &I, const Coarsening &C) {
  if (isSystemCall(I) || (!C.blocks() && isBlockCount(I)))
    return true;
  return isa<AtomicRMWInst, AtomicCmpXchgInst>(I) &&
         !(C.blocks() && all_of(objectsOf(accessedPointer(I)), isSharedArray));
}

bool isSameForAllReplicas(const Instruction &I, const Coarsening &C) {
  return isForAllReplicas(I) || (!C.blocks() && isBlockReduction(I));
}

/// Whether \p I reads the index of a coarsened dimension.
static bool readsIndex(const Instruction &I, const Coarsening &C) {
  const auto *Read = dyn_cast<IntrinsicInst>(&I);
  for (unsigned D = 0; Read && D < 3; ++D)
    if (C.Factor[D] > 1 && Read->getIntrinsicID() == C.indexRegister(D))
      return true;
  return false;
}

/// Adds the variables of a thread or block that differ between replicas once \p Known
/// does. Returns whether there were more of them.
static bool addWritten(Function &F, const Coarsening &C, const Influence &Known, ObjectSet &Differing) {
  size_t Before = Differing.size();
  for (Instruction &I : instructions(F)) {
    if (!I.mayWriteToMemory() || !(Known.reaches(I) || Known.decides(*I.getParent())))
      continue;
    const auto *Memory = dyn_cast<MemIntrinsic>(&I);
    const Value *Pointer = Memory ? Memory->getRawDest() : accessedPointer(I);
    if (!Pointer)
      continue;
    for (const Value *Object : objectsOf(Pointer))
      if (isa<AllocaInst>(Object) || (C.blocks() && isSharedArray(Object)))
        Differing.insert(Object);
  }
  return Differing.size() != Before;
}

Influence influenceOfReplica(Function &F, const Coarsening &C, const Untouched &Skip) {
  ObjectSet Differing;
  auto DiffersByItself = [&](const Instruction &I) {
    if (Skip.Blocks.contains(I.getParent()) || Skip.Reads.contains(&I))
      return false;
    if (const auto *Load = dyn_cast<LoadInst>(&I))
      return !Differing.empty() && any_of(objectsOf(Load->getPointerOperand()),
                                          [&](const Value *Object) { return Differing.contains(Object); });
    return readsIndex(I, C) || isOncePerReplica(I, C);
  };
  while (true) {
    Influence Known(F, DiffersByItself, [&](const Instruction &I) { return isSameForAllReplicas(I, C); });
    if (!addWritten(F, C, Known, Differing))
      return Known;
  }
}

} // namespace gpuprune
