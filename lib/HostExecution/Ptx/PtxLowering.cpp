//===- PtxLowering.cpp - PTX instructions as IR of this machine ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PtxLowering.h"
#include "Engine/ThreadContext.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

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
  auto LaneBit = [&] { return B.CreateShl(B.getInt32(1), Thread(offsetof(ThreadContext, Lane))); };
  auto LanesUpTo = [&](Value *Bit) { return B.CreateOr(Bit, B.CreateSub(Bit, B.getInt32(1))); };
  const SpecialRegister *Register = gpuprune::specialRegister(Name);
  switch (Register ? Register->ID : Intrinsic::not_intrinsic) {
#define SPECIAL_REGISTER(Id, Name, Family, Dimension, UniformOver, OnHost)                                   \
  case Intrinsic::nvvm_##Id:                                                                                 \
    return OnHost;
#include "gpuprune/Analysis/SpecialRegisters.def"
  default:
    return nullptr;
  }
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
