//===- OneByOne.cpp - Replicas one after another ----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OneByOne.h"
#include "Facts/Operations.h"
#include "gpuprune/Analysis/DeviceOperations.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

static bool isCopied(const Argument &A) { return A.hasByValAttr(); }

/// Whether a write to \p Object may write a parameter that the kernel has a copy of. \p Escapes: the address
/// of one is in memory, or has become a number.
static bool mayBeParameter(const Value &Object, bool Escapes) {
  if (const auto *A = dyn_cast<Argument>(&Object))
    return isCopied(*A);
  return Escapes && isa<Instruction>(Object) && !isa<AllocaInst>(Object);
}

static Verdict checkParameters(Function &F, const Coarsening &C) {
  bool Escapes = any_of(F.args(), [](const Argument &A) {
    return isCopied(A) && PointerMayBeCaptured(&A, /*ReturnCaptures=*/false);
  });
  for (Instruction &I : instructions(F)) {
    const auto *Mem = dyn_cast<MemIntrinsic>(&I);
    const Value *Pointer = Mem ? Mem->getRawDest() : accessedPointer(I);
    if (!Pointer || !I.mayWriteToMemory())
      continue;
    SmallVector<const Value *, 4> Written;
    getUnderlyingObjects(Pointer, Written, nullptr, /*MaxLookup=*/0);
    if (any_of(Written, [&](const Value *V) { return mayBeParameter(*V, Escapes); }))
      return Refusal::at(
          RefusalKind::ParameterWritten, I,
          formatv("the kernel changes its copy of a parameter differently in each {0}", C.Noun));
  }
  return std::nullopt;
}

Verdict checkOneByOne(Function &F, const Coarsening &C) {
  if (Verdict Refused = checkParameters(F, C))
    return Refused;
  SmallVector<Instruction *, 4> Barriers;
  for (Instruction &I : instructions(F))
    if (meetsBlock(I))
      Barriers.push_back(&I);
  return checkReachedAlike(
      F, Barriers, C, "threads that wait for each other cannot run one after another",
      "this barrier is not proved to be reached by all threads of a block alike, and one "
      "that passes it by would meet the others at the next replica's");
}

BasicBlock *splitVariables(Function &F) {
  BasicBlock &Entry = F.getEntryBlock();
  SmallVector<AllocaInst *, 4> Later;
  BasicBlock::iterator Rest = Entry.begin();
  while (isa<AllocaInst>(*Rest))
    ++Rest;
  for (Instruction &I : make_range(Rest, Entry.end()))
    if (auto *Local = dyn_cast<AllocaInst>(&I); Local && isa<Constant>(Local->getArraySize()))
      Later.push_back(Local);
  for (AllocaInst *Local : Later)
    Local->moveBefore(Rest);
  return Entry.splitBasicBlock(Rest, "kernel");
}

void forgetLoop(Instruction &Latch) {
  LLVMContext &Context = Latch.getContext();
  Metadata *Disable = MDNode::get(Context, MDString::get(Context, "llvm.loop.unroll.disable"));
  MDNode *Id = MDNode::getDistinct(Context, {nullptr, Disable});
  Id->replaceOperandWith(0, Id);
  Latch.setMetadata(LLVMContext::MD_loop, Id);
}

bool usesShared(ArrayRef<BasicBlock *> Body) {
  auto IsShared = [](const Value *V) {
    const auto *Pointer = dyn_cast<PointerType>(V->getType());
    return Pointer && Pointer->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED;
  };
  return any_of(Body, [&](BasicBlock *BB) {
    return any_of(*BB, [&](Instruction &I) { return IsShared(&I) || any_of(I.operands(), IsShared); });
  });
}

void separateBlocks(IRBuilder<> &B, ArrayRef<BasicBlock *> Body, bool LanesWait) {
  auto AnyIs = [&](function_ref<bool(const Instruction &)> Question) {
    return any_of(Body, [&](const BasicBlock *BB) { return any_of(*BB, Question); });
  };
  if (AnyIs([](const Instruction &I) { return isOperation(I, OperationKind::AsyncCopy); }))
    B.CreateIntrinsic(Intrinsic::nvvm_cp_async_wait_all, {});
  if (usesShared(Body))
    createBlockBarrier(B);
  else if (LanesWait && AnyIs(isMadeTogether))
    B.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {B.getInt32(-1)});
}

/// The number of the replica, taken apart into its place in each dimension, and
/// in \p Body the indices that belong to it.
static void replaceIndices(IRBuilder<> &B, const Coarsening &C, Value *Number, ArrayRef<BasicBlock *> Body,
                           Untouched &Skip) {
  Value *Rest = Number;
  unsigned Left = C.replicas();
  for (unsigned D = 0; D < 3; ++D) {
    if (C.Factor[D] == 1)
      continue;
    Left /= C.Factor[D];
    Value *Place = Left == 1 ? Rest : B.CreateURem(Rest, B.getInt32(C.Factor[D]), "place");
    if (Left != 1)
      Rest = B.CreateUDiv(Rest, B.getInt32(C.Factor[D]), "rest");
    CallInst *Physical = B.CreateIntrinsic(C.indexRegister(D), {});
    Skip.Reads.insert(Physical);
    Value *Index = ReplicaIndices(B, C, D, *Physical, Skip).at(Place);
    for (BasicBlock *BB : Body)
      for (Instruction &I : make_early_inc_range(*BB))
        if (auto *Read = dyn_cast<IntrinsicInst>(&I); Read && Read->getIntrinsicID() == C.indexRegister(D)) {
          Read->replaceAllUsesWith(Index);
          Read->eraseFromParent();
        }
  }
}

BasicBlock *runOneByOne(Function &F, const Coarsening &C, ArrayRef<BasicBlock *> Body, BasicBlock *First,
                        BasicBlock *Return, Untouched &Skip, bool LanesWait) {
  assert(is_contained(Body, First) && !is_contained(Body, Return) && "the loop is around the body alone");
  assert(C.replicas() <= uint64_t(std::numeric_limits<int32_t>::max()) && "replicas are numbered in 32 bits");
  LLVMContext &Context = F.getContext();
  auto *Before = BasicBlock::Create(Context, "one.by.one", &F, First);
  auto *Header = BasicBlock::Create(Context, "replica", &F, First);
  auto *Latch = BasicBlock::Create(Context, "replica.end", &F, Return);
  BranchInst::Create(Header, Before);
  IRBuilder<> B(Header);
  PHINode *Number = B.CreatePHI(B.getInt32Ty(), 2, "number");
  replaceIndices(B, C, Number, Body, Skip);
  B.CreateBr(First);

  for (BasicBlock *BB : Body)
    BB->getTerminator()->replaceSuccessorWith(Return, Latch);
  B.SetInsertPoint(Latch);
  if (C.blocks())
    separateBlocks(B, Body, LanesWait);
  Value *Next = B.CreateAdd(Number, B.getInt32(1), "number.next", /*HasNUW=*/true, /*HasNSW=*/true);
  Value *More = B.CreateICmpULT(Next, B.getInt32(C.replicas()), "more");
  forgetLoop(*B.CreateCondBr(More, Header, Return));
  Number->addIncoming(B.getInt32(0), Before);
  Number->addIncoming(Next, Latch);

  Skip.Blocks.insert_range(Body);
  Skip.Blocks.insert_range(ArrayRef<const BasicBlock *>{Before, Header, Latch});
  return Before;
}

} // namespace gpuprune
