//===- PersistentLoop.cpp - The loop over the blocks that one block does --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   (x, y, z) = place of first;  (dx, dy, dz) = place of step
//   for (b = first; b < end; b += step) {
//     body(x, y, z)
//     x += dx;  if (x >= blocks.x) { x -= blocks.x; y++; }
//     y += dy;  if (y >= blocks.y) { y -= blocks.y; z++; }
//     z += dz;
//   }
//
// x and dx are below blocks.x, y and dy below blocks.y: no sum needs more than one such step.
//
//===----------------------------------------------------------------------===//
#include "PersistentLoop.h"
#include "Coarsen/OneByOne.h"
#include "Facts/ControlRegion.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// A block of the grid by its extents' digits.
using Place = std::array<Value *, 3>;

/// The numbers of the blocks that a launched block does.
struct BlockRange {
  Value *First, *End, *Step;
};

} // namespace

static BlockRange stridedRange(IRBuilder<> &B, Value *Total, Value *Index, Value *Launched) {
  return {Index, Total, Launched};
}

/// The first Total % Launched of them are one longer.
static BlockRange consecutiveRange(IRBuilder<> &B, Value *Total, Value *Index, Value *Launched) {
  Value *Each = B.CreateUDiv(Total, Launched, "each"), *Left = B.CreateURem(Total, Launched, "left");
  Value *Longer = B.CreateBinaryIntrinsic(Intrinsic::umin, Index, Left);
  Value *First = B.CreateAdd(B.CreateMul(Index, Each), Longer, "first");
  Value *IsLonger = B.CreateZExt(B.CreateICmpULT(Index, Left), B.getInt32Ty());
  return {First, B.CreateAdd(B.CreateAdd(First, Each), IsLonger, "end"), B.getInt32(1)};
}

static Place placeOf(IRBuilder<> &B, Value *Number, const Place &Extent) {
  Value *Rows = B.CreateUDiv(Number, Extent[0], "rows");
  return {B.CreateURem(Number, Extent[0], "x"), B.CreateURem(Rows, Extent[1], "y"),
          B.CreateUDiv(Rows, Extent[1], "z")};
}

static Place sum(IRBuilder<> &B, const Place &At, const Place &Distance, const Place &Extent) {
  Place Sum;
  Value *Carry = nullptr;
  for (unsigned D = 0; D != Sum.size(); ++D) {
    Sum[D] = B.CreateAdd(At[D], Distance[D], "sum", /*HasNUW=*/true);
    if (Carry)
      Sum[D] = B.CreateAdd(Sum[D], Carry, "sum", /*HasNUW=*/true);
    if (D + 1 == Sum.size())
      break;
    Value *Wraps = B.CreateICmpUGE(Sum[D], Extent[D], "wraps");
    Sum[D] = B.CreateSelect(Wraps, B.CreateSub(Sum[D], Extent[D]), Sum[D], "digit");
    Carry = B.CreateZExt(Wraps, B.getInt32Ty());
  }
  return Sum;
}

/// Reads of the grid in \p Body are those of the grid of \p Extent.
static void replaceGeometry(ArrayRef<BasicBlock *> Body, const Place &At, const Place &Extent) {
  for (BasicBlock *BB : Body)
    for (Instruction &I : make_early_inc_range(*BB)) {
      const SpecialRegister *Read = specialRegister(I);
      if (!Read ||
          !(Read->Family == RegisterFamily::BlockIndex || Read->Family == RegisterFamily::GridExtent))
        continue;
      I.replaceAllUsesWith((Read->Family == RegisterFamily::BlockIndex ? At : Extent)[Read->Dimension]);
      I.eraseFromParent();
    }
}

static Value *numberOfBlocks(IRBuilder<> &B, const Place &Extent) {
  auto Times = [&](Value *L, Value *R) {
    return B.CreateMul(L, R, "total", /*HasNUW=*/true, /*HasNSW=*/true);
  };
  return Times(Times(Extent[0], Extent[1]), Extent[2]);
}

void loopOverBlocks(Function &F, const Place &Extent, bool Consecutive) {
  BasicBlock *Return = unifyReturns(F), *First = splitVariables(F);
  SmallVector<BasicBlock *, 16> Body;
  for (BasicBlock &BB : F)
    if (!BB.isEntryBlock() && &BB != Return)
      Body.push_back(&BB);
  auto *Header = BasicBlock::Create(F.getContext(), "block", &F, First);
  auto *Latch = BasicBlock::Create(F.getContext(), "block.end", &F, Return);

  Instruction *Jump = F.getEntryBlock().getTerminator();
  IRBuilder<> B(Jump);
  auto Read = [&](RegisterFamily Family) { return B.CreateIntrinsic(registerIntrinsic(Family, 0), {}); };
  Value *Index = Read(RegisterFamily::BlockIndex), *Launched = Read(RegisterFamily::GridExtent);
  Value *Total = numberOfBlocks(B, Extent);
  BlockRange Range = (Consecutive ? consecutiveRange : stridedRange)(B, Total, Index, Launched);
  Place Start = placeOf(B, Range.First, Extent);
  Place Distance =
      Consecutive ? Place{B.getInt32(1), B.getInt32(0), B.getInt32(0)} : placeOf(B, Range.Step, Extent);
  B.CreateCondBr(B.CreateICmpULT(Range.First, Range.End, "has.blocks"), Header, Return);
  Jump->eraseFromParent();

  B.SetInsertPoint(Header);
  PHINode *Number = B.CreatePHI(B.getInt32Ty(), 2, "number");
  Place At;
  for (Value *&Digit : At)
    Digit = B.CreatePHI(B.getInt32Ty(), 2, "digit");
  B.CreateBr(First);
  replaceGeometry(Body, At, Extent);

  for (BasicBlock *BB : Body)
    BB->getTerminator()->replaceSuccessorWith(Return, Latch);
  B.SetInsertPoint(Latch);
  separateBlocks(B, Body);
  Place Following = sum(B, At, Distance, Extent);
  Value *Next = B.CreateAdd(Number, Range.Step, "number.next", /*HasNUW=*/true);
  forgetLoop(*B.CreateCondBr(B.CreateICmpULT(Next, Range.End, "more"), Header, Return));
  auto Connect = [&](Value *Phi, Value *Before, Value *After) {
    cast<PHINode>(Phi)->addIncoming(Before, &F.getEntryBlock());
    cast<PHINode>(Phi)->addIncoming(After, Latch);
  };
  Connect(Number, Range.First, Next);
  for (unsigned D = 0; D != At.size(); ++D)
    Connect(At[D], Start[D], Following[D]);
}

} // namespace gpuprune
