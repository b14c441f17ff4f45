//===- IRInstructions.cpp - Counting the instructions of the IR -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IRInstructions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace gpuprune;

static StringRef typeName(Type *T) {
  T = T->getScalarType();
  if (T->isDoubleTy())
    return "f64";
  if (T->isFloatTy())
    return "f32";
  return T->isHalfTy() || T->isBFloatTy() ? "f16" : "";
}

static InstructionClass floatClass(Type *T) {
  T = T->getScalarType();
  if (T->isDoubleTy())
    return InstructionClass::Fp64;
  return T->isFloatTy() ? InstructionClass::Fp32 : InstructionClass::Fp16;
}

static InstructionClass classifyBinary(const BinaryOperator &I) {
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
    return floatClass(I.getType());
  case Instruction::FDiv:
  case Instruction::FRem:
    return InstructionClass::Special;
  case Instruction::Mul:
    return InstructionClass::IntMul;
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
    return InstructionClass::IntDiv;
  default:
    return InstructionClass::Int;
  }
}

static std::optional<InstructionClass> classifyCast(const CastInst &I) {
  switch (I.getOpcode()) {
  case Instruction::BitCast:
  case Instruction::AddrSpaceCast:
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
  case Instruction::IntToPtr:
    return std::nullopt;
  default:
    return InstructionClass::Convert;
  }
}

static std::optional<InstructionClass> classifyCall(const CallBase &I) {
  auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  if (!Intrinsic)
    return I.isInlineAsm() ? InstructionClass::Other : InstructionClass::Branch;
  if (Intrinsic->isAssumeLikeIntrinsic())
    return std::nullopt;
  Type *T = I.getType()->isVoidTy() && I.arg_size() > 0 ? I.getArgOperand(0)->getType() : I.getType();
  return classifyIntrinsic(I.getCalledFunction()->getName(), typeName(T));
}

std::optional<InstructionClass> gpuprune::classifyIR(const Instruction &I) {
  if (isa<PHINode, UnreachableInst, FreezeInst, AllocaInst>(I))
    return std::nullopt;
  if (auto *Binary = dyn_cast<BinaryOperator>(&I))
    return classifyBinary(*Binary);
  if (isa<UnaryOperator>(I))
    return floatClass(I.getType());
  if (auto *Cast = dyn_cast<CastInst>(&I))
    return classifyCast(*Cast);
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return loadClass(pointedSpace(Load->getPointerOperand()));
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return storeClass(pointedSpace(Store->getPointerOperand()));
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    return InstructionClass::Atomic;
  if (isa<FenceInst>(I))
    return InstructionClass::Fence;
  if (auto *Call = dyn_cast<CallBase>(&I))
    return classifyCall(*Call);
  if (I.isTerminator())
    return InstructionClass::Branch;
  if (isa<CmpInst, SelectInst>(I))
    return InstructionClass::Compare;
  if (isa<GetElementPtrInst>(I))
    return InstructionClass::Int;
  return isa<ExtractElementInst, InsertElementInst, ShuffleVectorInst, ExtractValueInst, InsertValueInst>(I)
             ? InstructionClass::Move
             : InstructionClass::Other;
}

MemorySpace gpuprune::pointedSpace(const Value *Pointer) {
  if (MemorySpace Space = memorySpace(Pointer->getType()->getPointerAddressSpace());
      Space != MemorySpace::Generic)
    return Space;
  const Value *Object = getUnderlyingObject(Pointer);
  if (isa<AllocaInst>(Object))
    return MemorySpace::Local;
  if (auto *A = dyn_cast<Argument>(Object); A && A->getParent()->getCallingConv() == CallingConv::PTX_Kernel)
    return A->hasByValAttr() ? MemorySpace::Const : MemorySpace::Global;
  return Object->getType()->isPointerTy() ? memorySpace(Object->getType()->getPointerAddressSpace())
                                          : MemorySpace::Generic;
}

double gpuprune::accessBytes(const Instruction &I) {
  const DataLayout &Layout = I.getDataLayout();
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return double(Layout.getTypeStoreSize(Load->getType()).getKnownMinValue());
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return double(Layout.getTypeStoreSize(Store->getValueOperand()->getType()).getKnownMinValue());
  return 0;
}

bool gpuprune::isBlocking(const Instruction &I, InstructionClass Class) {
  auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return isBlocking(Class, Callee ? Callee->getName() : "");
}
