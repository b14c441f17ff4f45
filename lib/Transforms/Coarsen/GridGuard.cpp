//===- GridGuard.cpp - Replicas that the author's grid does not have --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GridGuard.h"
#include "OneByOne.h"
#include "gpuprune/Launch/LaunchContract.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuprune {

/// The extent that a launch after dividing by \p Divisor, rounded up, has.
static Value *dividedExtent(IRBuilder<> &B, Value *Author, int64_t Divisor) {
  if (Divisor == 1)
    return Author;
  // Not (author + divisor - 1) / divisor: divisors have up to 32 bits.
  Value *Rest = B.CreateURem(Author, B.getInt32(Divisor), "grid.rest");
  Value *Whole = B.CreateUDiv(Author, B.getInt32(Divisor), "grid.whole");
  Value *More = B.CreateZExt(B.CreateICmpNE(Rest, B.getInt32(0)), B.getInt32Ty());
  return B.CreateAdd(Whole, More, "grid.size", /*HasNUW=*/true, /*HasNSW=*/true);
}

static void replaceReads(Function &F, Intrinsic::ID Register, Value &By) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Read = dyn_cast<IntrinsicInst>(&I); Read && Read->getIntrinsicID() == Register) {
      Read->replaceAllUsesWith(&By);
      Read->eraseFromParent();
    }
}

GridGuard guardGrid(Function &F, const Coarsening &C, const LaunchContract &Contract, const Dim3 &Divisor) {
  GridGuard Guard;
  if (!C.blocks() || !C.AnyGrid)
    return Guard;
  BasicBlock *Kernel = splitVariables(F);
  IRBuilder<> B(F.getEntryBlock().getTerminator());
  Value *Inside = nullptr;
  size_t FirstHidden = F.arg_size() - Contract.Hidden.size();
  for (unsigned D = 0; D < 3; ++D) {
    if (C.Factor[D] == 1)
      continue;
    Value *Author = F.getArg(FirstHidden + *Contract.hidden(HiddenParameter(D)));
    Guard.Extent[D] = dividedExtent(B, Author, Divisor[D]);
    replaceReads(F, C.extentRegister(D), *Guard.Extent[D]);
    Value *Index = B.CreateIntrinsic(C.indexRegister(D), {});
    Value *InD = B.CreateICmpULT(Index, Guard.Extent[D], "in.grid");
    Inside = Inside ? B.CreateAnd(Inside, InD) : InD;
  }
  auto *Surplus = BasicBlock::Create(F.getContext(), "surplus", &F);
  ReturnInst::Create(F.getContext(), Surplus);
  Instruction *Jump = F.getEntryBlock().getTerminator();
  Guard.Branch = BranchInst::Create(Kernel, Surplus, Inside, Jump->getIterator());
  Jump->eraseFromParent();
  return Guard;
}

Value *isWholeBlockInGrid(IRBuilder<> &B, const Coarsening &C, const GridGuard &Guard, Untouched &Skip) {
  Value *All = nullptr;
  for (unsigned D = 0; D < 3; ++D) {
    if (!Guard.Extent[D])
      continue;
    CallInst *Physical = B.CreateIntrinsic(C.indexRegister(D), {});
    Skip.Reads.insert(Physical);
    // i * F + F - 1 < extent, without what could wrap.
    Value *Whole = B.CreateUDiv(Guard.Extent[D], B.getInt32(C.Factor[D]), "whole.blocks");
    Value *InD = B.CreateICmpULT(Physical, Whole, "all.in.grid");
    All = All ? B.CreateAnd(All, InD) : InD;
  }
  return All;
}

} // namespace gpuprune
