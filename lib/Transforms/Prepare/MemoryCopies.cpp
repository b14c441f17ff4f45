//===- MemoryCopies.cpp - Copies and fills as loads and stores --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MemoryCopies.h"
#include "Facts/Operations.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"

using namespace llvm;

namespace gpuprune {

/// Bytes: four of the widest accesses.
static constexpr uint64_t LongestAccess = 64;

static SmallVector<MemIntrinsic *, 8> copiesOf(Function &F) {
  SmallVector<MemIntrinsic *, 8> Found;
  for (Instruction &I : instructions(F))
    if (auto *Copy = dyn_cast<MemIntrinsic>(&I); Copy && !Copy->isVolatile())
      Found.push_back(Copy);
  return Found;
}

static std::optional<uint64_t> smallLength(const MemIntrinsic &Copy) {
  const auto *Length = dyn_cast<ConstantInt>(Copy.getLength());
  if (!Length || Length->isZero() || Length->getValue().ugt(LongestAccess))
    return std::nullopt;
  return Length->getZExtValue();
}

/// Words of 32 bits where the length allows.
static Type *accessOf(LLVMContext &Context, uint64_t Bytes) {
  unsigned Word = Bytes % 4 == 0 ? 4 : 1;
  Type *Element = IntegerType::get(Context, 8 * Word);
  return Bytes == Word ? Element : FixedVectorType::get(Element, Bytes / Word);
}

/// The byte \p V in all of \p T.
static Value *filledWith(IRBuilder<> &B, Value *V, Type *T) {
  Type *Element = T->getScalarType();
  if (!Element->isIntegerTy(8))
    V = B.CreateMul(B.CreateZExt(V, Element), B.getInt32(0x01010101), "bytes");
  return T->isVectorTy() ? B.CreateVectorSplat(cast<FixedVectorType>(T)->getNumElements(), V) : V;
}

/// What is known of both accesses. The types of fields are not those of the words.
static void keepAliasing(Instruction &Access, const MemIntrinsic &Copy) {
  for (unsigned Kind : {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias, LLVMContext::MD_access_group})
    Access.setMetadata(Kind, Copy.getMetadata(Kind));
}

static void lowerSmall(MemIntrinsic &Copy, uint64_t Bytes) {
  IRBuilder<> B(&Copy);
  Type *T = accessOf(Copy.getContext(), Bytes);
  Value *V = nullptr;
  if (auto *Transfer = dyn_cast<MemTransferInst>(&Copy)) {
    LoadInst *Load = B.CreateAlignedLoad(T, Transfer->getRawSource(), Transfer->getSourceAlign(), "copied");
    keepAliasing(*Load, Copy);
    V = Load;
  } else {
    V = filledWith(B, cast<MemSetInst>(Copy).getValue(), T);
  }
  keepAliasing(*B.CreateAlignedStore(V, Copy.getRawDest(), Copy.getDestAlign().valueOrOne()), Copy);
  Copy.eraseFromParent();
}

void lowerSmallCopies(Function &F) {
  for (MemIntrinsic *Copy : copiesOf(F))
    if (std::optional<uint64_t> Bytes = smallLength(*Copy))
      lowerSmall(*Copy, *Bytes);
}

static bool isOfShared(const MemIntrinsic &Copy) {
  auto Points = [](const Value *Pointer) {
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(Pointer, Objects, nullptr, /*MaxLookup=*/0);
    return any_of(Objects, isSharedArray);
  };
  const auto *Transfer = dyn_cast<MemTransferInst>(&Copy);
  return Points(Copy.getRawDest()) || (Transfer && Points(Transfer->getRawSource()));
}

static bool expandAsLoop(MemIntrinsic &Copy, const TargetTransformInfo &Target) {
  if (auto *Move = dyn_cast<MemMoveInst>(&Copy))
    return expandMemMoveAsLoop(Move, Target);
  if (auto *Fill = dyn_cast<MemSetInst>(&Copy))
    expandMemSetAsLoop(Fill);
  else
    expandMemCpyAsLoop(cast<MemCpyInst>(&Copy), Target);
  return true;
}

void lowerCopiesOfShared(Function &F) {
  TargetTransformInfo Target(F.getDataLayout());
  for (MemIntrinsic *Copy : copiesOf(F)) {
    if (!isOfShared(*Copy))
      continue;
    if (std::optional<uint64_t> Bytes = smallLength(*Copy))
      lowerSmall(*Copy, *Bytes);
    else if (expandAsLoop(*Copy, Target))
      Copy->eraseFromParent();
  }
}

} // namespace gpuprune
