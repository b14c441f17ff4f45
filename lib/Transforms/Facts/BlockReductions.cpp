//===- BlockReductions.cpp - Barriers that reduce a condition of all threads ===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BlockReductions.h"
#include "ForAllReplicas.h"
#include "gpuprune/Analysis/DeviceOperations.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace gpuprune {

static Intrinsic::ID intrinsicOf(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call ? Call->getIntrinsicID() : Intrinsic::not_intrinsic;
}

static bool isBlockAnd(Intrinsic::ID ID) {
  return ID == Intrinsic::nvvm_barrier_cta_red_and_all ||
         ID == Intrinsic::nvvm_barrier_cta_red_and_aligned_all;
}

static bool isBlockOr(Intrinsic::ID ID) {
  return ID == Intrinsic::nvvm_barrier_cta_red_or_all || ID == Intrinsic::nvvm_barrier_cta_red_or_aligned_all;
}

bool isBlockCount(const Instruction &I) {
  Intrinsic::ID ID = intrinsicOf(I);
  return ID == Intrinsic::nvvm_barrier_cta_red_popc_all ||
         ID == Intrinsic::nvvm_barrier_cta_red_popc_aligned_all;
}

bool isBlockReduction(const Instruction &I) { return isBlockBarrierOfAll(I) && !I.getType()->isVoidTy(); }

void reduceForAllReplicas(Function &F) {
  FunctionCallee Question = forAllReplicas(*F.getParent());
  for (Instruction &I : instructions(F)) {
    bool IsOr = isBlockOr(intrinsicOf(I));
    if (!IsOr && !isBlockAnd(intrinsicOf(I)))
      continue;
    IRBuilder<> B(&I);
    Value *Condition = I.getOperand(1);
    Value *All = B.CreateCall(Question, {IsOr ? B.CreateNot(Condition) : Condition}, "for.all");
    I.setOperand(1, IsOr ? B.CreateNot(All, "for.any") : All);
  }
}

} // namespace gpuprune
