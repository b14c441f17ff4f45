//===- ThreadAccess.cpp - The thread's context in generated code ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ThreadAccess.h"
#include "ThreadContext.h"

using namespace llvm;

namespace gpuprune {

/// A function that masks its own frame's address. Not inlined, so that the
/// kernel's functions need no frame pointer; without memory effects, so that one
/// call a function remains.
Function &ThreadAccess::getter() {
  if (Getter)
    return *Getter;
  LLVMContext &Context = M.getContext();
  auto *Pointer = PointerType::get(Context, 0);
  Getter =
      Function::Create(FunctionType::get(Pointer, false), GlobalValue::InternalLinkage, "gpuprune.thread", M);
  Getter->addFnAttr(Attribute::NoInline);
  Getter->addFnAttr(Attribute::NoUnwind);
  Getter->addFnAttr(Attribute::WillReturn);
  Getter->addFnAttr(Attribute::Speculatable);
  Getter->setDoesNotAccessMemory();
  Getter->addRetAttr(Attribute::NonNull);
  IRBuilder<> B(BasicBlock::Create(Context, "", Getter));
  auto *Word = B.getInt64Ty();
  Value *Frame = B.CreateIntrinsic(Intrinsic::frameaddress, {Pointer}, {B.getInt32(0)});
  Value *Bytes = B.CreateLoad(Word, M.getOrInsertGlobal(StackBytesSymbol, Word));
  cast<LoadInst>(Bytes)->setMetadata(InternalAccess, MDNode::get(Context, {}));
  Value *LastByte = B.CreateOr(B.CreatePtrToInt(Frame, Word), B.CreateSub(Bytes, B.getInt64(1)));
  Value *Thread = B.CreateSub(LastByte, B.getInt64(ContextBytes - 1));
  B.CreateRet(B.CreateIntToPtr(Thread, Pointer));
  return *Getter;
}

Value *ThreadAccess::thread(Function &F) {
  Value *&Thread = Threads[&F];
  if (!Thread) {
    IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    Thread = B.CreateCall(&getter());
  }
  return Thread;
}

static Value *loadField(IRBuilder<> &B, Value *Base, Type *Type, uint64_t Offset) {
  LoadInst *Load = B.CreateLoad(Type, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Base, Offset));
  Load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(B.getContext(), {}));
  Load->setMetadata(ThreadAccess::InternalAccess, MDNode::get(B.getContext(), {}));
  return Load;
}

Value *ThreadAccess::threadField(IRBuilder<> &B, Type *Type, uint64_t Offset) {
  return loadField(B, thread(*B.GetInsertBlock()->getParent()), Type, Offset);
}

Value *ThreadAccess::blockField(IRBuilder<> &B, Type *Type, uint64_t Offset) {
  Value *Block = threadField(B, B.getPtrTy(), offsetof(ThreadContext, Block));
  return loadField(B, Block, Type, Offset);
}

} // namespace gpuprune
