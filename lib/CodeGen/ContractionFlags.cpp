//===- ContractionFlags.cpp - The -ffp-contract that bitcode was made with ===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/ContractionFlags.h"
#include "ReadDevice.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gpuprune {

static bool isOfLibdevice(const Function &F) { return F.getName().starts_with("__nv_"); }

static bool couldBeFused(const Instruction &I) {
  return I.getOpcode() == Instruction::FAdd || I.getOpcode() == Instruction::FSub ||
         I.getOpcode() == Instruction::FMul;
}

Expected<std::vector<std::string>> contractionFlags(StringRef Bitcode) {
  LLVMContext Context;
  Expected<std::unique_ptr<Module>> M = readDeviceBitcode(Bitcode, Context);
  if (!M)
    return M.takeError();
  bool Unmarked = false;
  for (const Function &F : **M) {
    if (isOfLibdevice(F))
      continue;
    for (const Instruction &I : instructions(F)) {
      const auto *Operation = dyn_cast<FPMathOperator>(&I);
      if (Operation && Operation->hasAllowContract())
        return std::vector<std::string>();
      Unmarked |= couldBeFused(I);
    }
  }
  return Unmarked ? std::vector<std::string>{"-ffp-contract=on"} : std::vector<std::string>();
}

} // namespace gpuprune
