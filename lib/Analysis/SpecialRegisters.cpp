//===- SpecialRegisters.cpp - The special registers of PTX ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include <cassert>

using namespace llvm;

namespace gpuprune {

static constexpr SpecialRegister Registers[] = {
#define SPECIAL_REGISTER(Id, Name, Family, Dimension, UniformOver, OnHost)                                   \
  {Intrinsic::nvvm_##Id, Name, RegisterFamily::Family, Dimension, OperationScope::UniformOver},
#include "gpuprune/Analysis/SpecialRegisters.def"
};

ArrayRef<SpecialRegister> specialRegisters() { return Registers; }

const SpecialRegister *specialRegister(const Instruction &I) {
  const auto *Read = dyn_cast<IntrinsicInst>(&I);
  if (!Read)
    return nullptr;
  const auto *Row =
      find_if(Registers, [&](const SpecialRegister &R) { return R.ID == Read->getIntrinsicID(); });
  return Row == std::end(Registers) ? nullptr : Row;
}

const SpecialRegister *specialRegister(StringRef Name) {
  const auto *Row = find_if(Registers, [&](const SpecialRegister &R) { return R.Name == Name; });
  return Row == std::end(Registers) ? nullptr : Row;
}

Intrinsic::ID registerIntrinsic(RegisterFamily Family, unsigned Dimension) {
  const auto *Row = find_if(
      Registers, [&](const SpecialRegister &R) { return R.Family == Family && R.Dimension == Dimension; });
  assert(Row != std::end(Registers) && "no such register");
  return Row->ID;
}

bool readsRegister(const Instruction &I, RegisterFamily Family, unsigned Dimension) {
  const SpecialRegister *Register = specialRegister(I);
  return Register && Register->Family == Family && Register->Dimension == Dimension;
}

} // namespace gpuprune
