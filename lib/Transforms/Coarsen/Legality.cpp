//===- Legality.cpp - What is not coarsened whatever depends on what --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Coarsening.h"
#include "Facts/BlockReductions.h"
#include "Facts/Influence.h"
#include "Facts/LoadHazards.h"
#include "Facts/PureAssembly.h"
#include "Facts/PureFunctions.h"
#include "FastPath.h"
#include "gpuprune/Analysis/DeviceOperations.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "gpuprune/Transforms/ThreadCoarsen.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

/// Whether a call may be made once for all replicas or once a replica.
static bool isSupported(const IntrinsicInst &I) {
  return I.doesNotAccessMemory() || I.onlyReadsMemory() || I.onlyAccessesInaccessibleMemory() ||
         I.isAssumeLikeIntrinsic() || isa<MemIntrinsic>(I) || isSynchronisation(I) || accessedPointer(I) ||
         isOperation(I, OperationKind::Surface) || isOperation(I, OperationKind::Prefetch);
}

static Refusal ofOtherWarps(const Instruction &I) {
  return Refusal::at(RefusalKind::WarpOperation, I,
                     "this is an operation of a warp, and coarsened threads make other warps");
}

/// Whether \p I tells a thread where it is among the lanes and warps, or which lanes are active.
static bool tellsLanes(const Instruction &I) {
  const SpecialRegister *Register = specialRegister(I);
  return Register ? is_contained({RegisterFamily::Lane, RegisterFamily::Warp}, Register->Family)
                  : isOperation(I, OperationKind::ActiveMask);
}

static bool isWarpBarrier(const Instruction &I) {
  return isOperation(I, OperationKind::Barrier) && !meetsBlock(I);
}

/// Operations that the lanes of a warp make together, or that tell them apart:
/// coarsened threads are in other warps than the author's.
static Verdict checkWarpOperation(const IntrinsicInst &I) {
  if (meetsBlock(I) && !isBlockBarrierOfAll(I))
    return Refusal::at(RefusalKind::CountedBarrier, I,
                       "this barrier counts threads, and there will be fewer");
  if (tellsLanes(I) || (isMadeTogether(I) && !isSynchronisation(I)) || isWarpBarrier(I))
    return ofOtherWarps(I);
  return std::nullopt;
}

bool dependsOnWarps(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
    return (Call && isWarpAssembly(*Call)) || (Intrinsic && checkWarpOperation(*Intrinsic));
  });
}

static Verdict checkCall(const CallBase &Call, const Coarsening &C) {
  if (isForAllReplicas(Call) || isSystemCall(Call) || isPureAssembly(Call) || isReadAssembly(Call) ||
      isPureCall(Call))
    return std::nullopt;
  if (isWarpAssembly(Call))
    return C.blocks() ? std::nullopt : Verdict(ofOtherWarps(Call));
  if (Call.isInlineAsm())
    return Refusal::at(RefusalKind::InlineAsm, Call, "what inline assembly does is not known");
  const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call);
  if (!Intrinsic || Call.cannotDuplicate())
    return Refusal::at(RefusalKind::Call, Call,
                       formatv("a call that was not inlined may do what a {0} must do by itself", C.Noun));
  if (concernsCluster(*Intrinsic))
    return Refusal::at(RefusalKind::Cluster, Call, "thread block clusters tie a block to its neighbours");
  if (!C.blocks())
    if (Verdict Refused = checkWarpOperation(*Intrinsic))
      return Refused;
  if (!isSupported(*Intrinsic))
    return Refusal::at(RefusalKind::UnsupportedIntrinsic, Call,
                       "this operation cannot be made once a replica");
  return std::nullopt;
}

/// Whether no other block, or with threads no other thread, sees what \p I accesses. The
/// threads of a block go on reading each other's shared memory in the same order.
static bool isUnseen(const Instruction &I, const Coarsening &C) {
  const Value *Pointer = getLoadStorePointerOperand(&I);
  return Pointer && all_of(objectsOf(*Pointer), [&](const Value *Object) {
           return isa<AllocaInst>(Object) || (C.blocks() && isSharedArray(Object));
         });
}

static Verdict checkInstruction(const Instruction &I, const Coarsening &C) {
  if (I.isVolatile() && !isUnseen(I, C))
    return Refusal::at(RefusalKind::Volatile, I,
                       formatv("volatile accesses may wait for another {0}", C.Noun));
  if (isa<LoadInst, StoreInst>(I) && I.isAtomic())
    return Refusal::at(RefusalKind::AtomicAccess, I,
                       formatv("atomic loads and stores may wait for another {0}", C.Noun));
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return checkCall(*Call, C);
  return std::nullopt;
}

Verdict checkLegality(Function &F, const Coarsening &C) {
  if (F.hasFnAttribute("nvvm.cluster_dim") || F.hasFnAttribute("nvvm.blocksareclusters"))
    return Refusal::inFunction(RefusalKind::Cluster, F, "the kernel is launched in thread block clusters");
  for (Instruction &I : instructions(F))
    if (Verdict Refused = checkInstruction(I, C))
      return Refused;
  return checkWaitsForNobody(F);
}

Verdict checkReachedAlike(Function &F, ArrayRef<Instruction *> Barriers, const Coarsening &C,
                          StringRef WhyNoThreads, StringRef WhyNotTheseBlocks) {
  if (Barriers.empty())
    return std::nullopt;
  if (!C.blocks())
    return Refusal::at(RefusalKind::DependentBarrier, *Barriers.front(), WhyNoThreads);
  Influence OfThread = influenceOfThread(F);
  for (Instruction *Barrier : Barriers)
    if (OfThread.decides(*Barrier->getParent()))
      return Refusal::at(RefusalKind::DependentBarrier, *Barrier, WhyNotTheseBlocks);
  return std::nullopt;
}

} // namespace gpuprune
