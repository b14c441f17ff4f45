//===- Operations.cpp - What single instructions of a kernel do ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Operations.h"
#include "gpuprune/Analysis/DeviceOperations.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

bool isSynchronisation(const Instruction &I) {
  std::optional<DeviceOperation> Operation = classify(I);
  if (!Operation)
    return false;
  switch (Operation->Kind) {
  case OperationKind::Barrier:
  case OperationKind::CopyGroup:
  case OperationKind::Sleep:
  case OperationKind::Trap:
    return true;
  case OperationKind::Fence:
    return !isa<FenceInst>(I);
  default:
    return false;
  }
}

bool isSystemCall(const Instruction &I) { return isOperation(I, OperationKind::SystemCall); }

bool isMadeTogether(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  // LLVM does not mark matrix operations as convergent.
  return Call && (Call->isConvergent() || isOperation(I, OperationKind::Matrix)) && !isSystemCall(I);
}

void createBlockBarrier(IRBuilderBase &B) {
  B.CreateIntrinsic(B.getVoidTy(), Intrinsic::nvvm_barrier_cta_sync_aligned_all, {B.getInt32(0)});
}

bool meetsBlock(const Instruction &I) {
  std::optional<DeviceOperation> Operation = classify(I);
  return Operation && Operation->Kind == OperationKind::Barrier && Operation->Scope != OperationScope::Warp;
}

bool goesOn(const Instruction &I) {
  if (isa<StoreInst>(I))
    return true;
  if (const auto *Known = dyn_cast<IntrinsicInst>(&I))
    return !Known->doesNotReturn() && !isOperation(I, OperationKind::Exit) &&
           Known->getIntrinsicID() != Intrinsic::debugtrap;
  return isGuaranteedToTransferExecutionToSuccessor(&I);
}

bool isSharedArray(const Value *V) {
  const auto *Variable = dyn_cast<GlobalVariable>(V);
  return Variable && Variable->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED;
}

/// Copies to shared memory in the background, and matrices: 16 bytes a row or less.
static bool accessesThroughFirst(const Instruction &I) {
  std::optional<DeviceOperation> Operation = classify(I);
  return Operation && is_contained({OperationKind::AsyncCopy, OperationKind::Matrix}, Operation->Kind) &&
         is_contained({OperationAccess::ReadsFirst, OperationAccess::WritesFirst}, Operation->Accesses);
}

Value *accessedPointer(const Instruction &I) {
  if (const Value *Pointer = getLoadStorePointerOperand(&I))
    return const_cast<Value *>(Pointer);
  if (const auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return const_cast<Value *>(RMW->getPointerOperand());
  if (const auto *CmpXchg = dyn_cast<AtomicCmpXchgInst>(&I))
    return const_cast<Value *>(CmpXchg->getPointerOperand());
  return accessesThroughFirst(I) ? I.getOperand(0) : nullptr;
}

} // namespace gpuprune
