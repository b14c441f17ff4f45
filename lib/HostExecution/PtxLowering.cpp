//===- PtxLowering.cpp - PTX instructions as IR of this machine ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PtxLowering.h"
#include "ThreadContext.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace gpuprune {

std::optional<PtxLowering::Values> PtxLowering::lower(StringRef Opcode, Sources Operands) {
  using Handler = Values (PtxLowering::*)(PtxOperation &, Sources);
  PtxOperation Op(Opcode);
  Handler Found = StringSwitch<Handler>(Op.name())
#define PTX_INSTRUCTION(Name, Handler) .Case(#Name, &PtxLowering::Handler)
#include "PtxInstructions.def"
                      .Default(nullptr);
  if (!Found)
    return std::nullopt;
  Values Results = (this->*Found)(Op, Operands);
  if (!Op.allTaken() || is_contained(Results, nullptr))
    return std::nullopt;
  return Results;
}

Value *PtxLowering::specialRegister(StringRef Name) {
  auto Thread = [&](uint64_t Offset) { return Threads.threadField(B, i32(), Offset); };
  auto Block = [&](uint64_t Offset) { return Threads.blockField(B, i32(), Offset); };
  auto Lanes = [&](auto Of) {
    Value *Bit = B.CreateShl(B.getInt32(1), Threads.threadField(B, i32(), offsetof(ThreadContext, Lane)));
    return Of(Bit);
  };
  if (Name.size() > 2 && Name[Name.size() - 2] == '.' && Name.back() >= 'x' && Name.back() <= 'z') {
    unsigned Axis = Name.back() - 'x';
    StringRef Base = Name.drop_back(2);
    if (Base == "tid")
      return Thread(offsetof(ThreadContext, ThreadIndex) + 4 * Axis);
    if (Base == "ctaid" || Base == "clusterid")
      return Block(offsetof(BlockContext, BlockIndex) + 4 * Axis);
    if (Base == "ntid")
      return Block(offsetof(BlockContext, BlockExtent) + 4 * Axis);
    if (Base == "nctaid" || Base == "nclusterid")
      return Block(offsetof(BlockContext, GridExtent) + 4 * Axis);
    // A cluster is one block: no launch here makes larger ones.
    if (Base == "cluster_ctaid" || Base == "cluster_nctaid")
      return B.getInt32(Base == "cluster_nctaid");
    return nullptr;
  }
  if (Name == "laneid")
    return Thread(offsetof(ThreadContext, Lane));
  if (Name == "warpid")
    return Thread(offsetof(ThreadContext, Warp));
  if (Name == "nwarpid")
    return Block(offsetof(BlockContext, Warps));
  if (Name == "smid")
    return Block(offsetof(BlockContext, WorkerIndex));
  if (Name == "nsmid")
    return Block(offsetof(BlockContext, Workers));
  if (Name == "dynamic_smem_size")
    return Block(offsetof(BlockContext, DynamicSharedBytes));
  if (Name == "total_smem_size" || Name == "aggr_smem_size")
    return Block(offsetof(BlockContext, SharedBytes));
  if (Name == "cluster_ctarank" || Name == "gridid" || Name == "is_explicit_cluster")
    return B.getInt32(0);
  if (Name == "cluster_nctarank")
    return B.getInt32(1);
  if (Name == "lanemask_eq")
    return Lanes([&](Value *Bit) { return Bit; });
  if (Name == "lanemask_lt")
    return Lanes([&](Value *Bit) { return B.CreateSub(Bit, B.getInt32(1)); });
  if (Name == "lanemask_le")
    return Lanes([&](Value *Bit) { return B.CreateOr(Bit, B.CreateSub(Bit, B.getInt32(1))); });
  if (Name == "lanemask_ge")
    return Lanes([&](Value *Bit) { return B.CreateNeg(Bit); });
  if (Name == "lanemask_gt")
    return Lanes([&](Value *Bit) { return B.CreateAnd(B.CreateNeg(Bit), B.CreateNot(Bit)); });
  if (Name == "clock64" || Name == "globaltimer")
    return runtime("gpuprune_clock", i64(), {});
  if (Name == "clock" || Name == "globaltimer_lo")
    return B.CreateTrunc(runtime("gpuprune_clock", i64(), {}), i32());
  return nullptr;
}

Value *PtxLowering::as(Value *V, Type *Wanted) {
  if (V->getType() == Wanted)
    return V;
  if (auto *Literal = dyn_cast<ConstantFP>(V); Literal && Wanted->isFloatingPointTy())
    return ConstantFP::get(Wanted, Literal->getValueAPF().convertToDouble());
  Value *Bits = V;
  if (V->getType()->isPointerTy())
    Bits = B.CreatePtrToInt(V, i64());
  else if (!V->getType()->isIntegerTy())
    Bits = B.CreateBitCast(V, B.getIntNTy(V->getType()->getPrimitiveSizeInBits()));
  if (Wanted->isPointerTy())
    return B.CreateIntToPtr(B.CreateZExtOrTrunc(Bits, i64()), Wanted);
  return B.CreateBitCast(B.CreateZExtOrTrunc(Bits, B.getIntNTy(Wanted->getPrimitiveSizeInBits())), Wanted);
}

CallInst *PtxLowering::runtime(StringRef Function, Type *Result, Sources Arguments) {
  SmallVector<Type *> Types;
  for (Value *V : Arguments)
    Types.push_back(V->getType());
  Module *M = B.GetInsertBlock()->getModule();
  return B.CreateCall(M->getOrInsertFunction(Function, FunctionType::get(Result, Types, false)), Arguments);
}

CallInst *PtxLowering::onThread(StringRef Function, Type *Result, SmallVector<Value *> Arguments) {
  Arguments.insert(Arguments.begin(), Threads.thread(*B.GetInsertBlock()->getParent()));
  return runtime(Function, Result, Arguments);
}

} // namespace gpuprune
