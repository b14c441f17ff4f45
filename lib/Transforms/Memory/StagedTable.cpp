//===- StagedTable.cpp - A table in a tile of shared memory -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StagedTable.h"
#include "Facts/Operations.h"
#include "gpuprune/Analysis/SharedMemory.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "gpuprune/Device/CommonLimits.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

static uint64_t bytesOf(const GlobalVariable &Table) {
  return Table.getDataLayout().getTypeAllocSize(Table.getValueType());
}

Verdict checkFitsShared(const Function &F, const GlobalVariable &Table) {
  uint64_t All = sharedBytes(F) + bytesOf(Table);
  if (All <= MostStaticShared)
    return std::nullopt;
  return Refusal::inFunction(
      RefusalKind::TooLarge, F,
      formatv("with '{0}' a block would have {1} bytes of static shared memory, and {2} can be declared",
              Table.getName(), All, MostStaticShared));
}

namespace {

/// What each thread copies at a time: 16, 4 or 1 byte.
struct Word {
  Type *Ty;
  uint64_t Bytes;
};

struct ThreadOfBlock {
  Value *Index, *Count;
};

} // namespace

static Word wordFor(const GlobalVariable &Table) {
  LLVMContext &Context = Table.getContext();
  uint64_t Whole = MinAlign(bytesOf(Table), Table.getAlign().valueOrOne().value());
  if (Whole % 16 == 0)
    return {FixedVectorType::get(Type::getInt32Ty(Context), 4), 16};
  if (Whole % 4 == 0)
    return {Type::getInt32Ty(Context), 4};
  return {Type::getInt8Ty(Context), 1};
}

static ThreadOfBlock threadOfBlock(IRBuilder<> &B) {
  auto Read = [&](RegisterFamily Family, unsigned D) {
    return B.CreateIntrinsic(B.getInt32Ty(), registerIntrinsic(Family, D), {});
  };
  ThreadOfBlock T{B.getInt32(0), B.getInt32(1)};
  for (unsigned D = 0; D < Dim3::size(); ++D) {
    T.Index = B.CreateAdd(T.Index, B.CreateMul(Read(RegisterFamily::ThreadIndex, D), T.Count));
    T.Count = B.CreateMul(T.Count, Read(RegisterFamily::BlockExtent, D));
  }
  return T;
}

/// Splits the entry behind its variables.
static BasicBlock *splitEntry(Function &F) {
  BasicBlock &Entry = F.getEntryBlock();
  BasicBlock *Rest = Entry.splitBasicBlock(Entry.getFirstNonPHIOrDbgOrAlloca(), "staged");
  for (Instruction &I : make_early_inc_range(*Rest))
    if (auto *Variable = dyn_cast<AllocaInst>(&I); Variable && isa<ConstantInt>(Variable->getArraySize()))
      Variable->moveBefore(Entry.getTerminator()->getIterator());
  return Rest;
}

/// for (i = thread; i < words; i += threads) tile[i] = table[i]; __syncthreads();
static void copyAtEntry(Function &F, GlobalVariable &Table, GlobalVariable &Tile) {
  Word Unit = wordFor(Table);
  BasicBlock &Entry = F.getEntryBlock(), *Rest = splitEntry(F);
  BasicBlock *Copying = BasicBlock::Create(F.getContext(), "stage", &F, Rest);
  BasicBlock *Copied = BasicBlock::Create(F.getContext(), "stage.end", &F, Rest);
  IRBuilder<> B(Entry.getTerminator());
  ThreadOfBlock Thread = threadOfBlock(B);
  Value *Words = B.getInt32(bytesOf(Table) / Unit.Bytes);
  B.CreateCondBr(B.CreateICmpULT(Thread.Index, Words), Copying, Copied);
  Entry.getTerminator()->eraseFromParent();

  B.SetInsertPoint(Copying);
  PHINode *Index = B.CreatePHI(B.getInt32Ty(), 2);
  auto Place = [&](GlobalVariable &Array) { return B.CreateInBoundsGEP(Unit.Ty, &Array, Index); };
  LoadInst *Read = B.CreateAlignedLoad(Unit.Ty, Place(Table), Align(Unit.Bytes));
  Read->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(F.getContext(), {}));
  B.CreateAlignedStore(Read, Place(Tile), Align(Unit.Bytes));
  Value *Next = B.CreateAdd(Index, Thread.Count);
  Index->addIncoming(Thread.Index, &Entry);
  Index->addIncoming(Next, Copying);
  B.CreateCondBr(B.CreateICmpULT(Next, Words), Copying, Copied);

  B.SetInsertPoint(Copied);
  createBlockBarrier(B);
  B.CreateBr(Rest);
}

GlobalVariable *createTile(GlobalVariable &Table) {
  auto *Tile = new GlobalVariable(*Table.getParent(), Table.getValueType(), /*isConstant=*/false,
                                  GlobalValue::InternalLinkage, UndefValue::get(Table.getValueType()),
                                  Table.getName() + ".tile", nullptr, GlobalValue::NotThreadLocal,
                                  NVPTXAS::ADDRESS_SPACE_SHARED);
  Tile->setAlignment(std::max(Table.getAlign().valueOrOne(), Align(16)));
  return Tile;
}

void fillAtEntry(Function &F, GlobalVariable &Table, GlobalVariable &Tile) {
  copyAtEntry(F, Table, Tile);
  // It waits for others and writes now.
  F.addFnAttr(Attribute::Convergent);
  F.removeFnAttr(Attribute::NoSync);
  F.removeFnAttr(Attribute::Memory);
}

} // namespace gpuprune
