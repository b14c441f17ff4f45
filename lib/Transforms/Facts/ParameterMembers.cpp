//===- ParameterMembers.cpp - Members of structures passed by value ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ParameterMembers.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gpuprune {

bool isOnlyRead(const Argument &Parameter) {
  if (!Parameter.hasByValAttr())
    return false;
  SmallVector<const Value *, 8> Pointers{&Parameter};
  while (!Pointers.empty()) {
    const Value *Pointer = Pointers.pop_back_val();
    for (const User *U : Pointer->users()) {
      if (isa<GEPOperator, AddrSpaceCastOperator>(U))
        Pointers.push_back(U);
      else if (const auto *Copy = dyn_cast<MemTransferInst>(U)) {
        if (Copy->getRawDest() == Pointer)
          return false;
      } else if (!isa<LoadInst>(U))
        return false;
    }
  }
  return true;
}

std::optional<ParameterMember> memberRead(const Value &V) {
  const auto *Load = dyn_cast<LoadInst>(&V);
  if (!Load || !Load->isSimple() || !Load->getType()->isIntegerTy())
    return std::nullopt;
  unsigned Bits = Load->getType()->getIntegerBitWidth();
  const DataLayout &DL = Load->getDataLayout();
  APInt Offset(DL.getIndexTypeSizeInBits(Load->getPointerOperandType()), 0);
  const auto *Parameter = dyn_cast<Argument>(
      Load->getPointerOperand()->stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/true));
  if (Bits % 8 != 0 || Bits > 64 || !Parameter || !isOnlyRead(*Parameter) || Offset.isNegative())
    return std::nullopt;
  uint64_t All = DL.getTypeAllocSize(Parameter->getParamByValType());
  if (Offset.uge(All) || All - Offset.getZExtValue() < Bits / 8)
    return std::nullopt;
  return ParameterMember{Parameter, Offset.getZExtValue(), Bits};
}

} // namespace gpuprune
