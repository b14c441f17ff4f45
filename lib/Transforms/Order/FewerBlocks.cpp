//===- FewerBlocks.cpp - Whether some blocks of a launch may be left out -===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/FewerBlocks.h"
#include "Coarsen/Coarsening.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace gpuprune {

static std::string atLine(const DebugLoc &Where) {
  DebugLoc Line = Where ? outermost(Where) : DebugLoc();
  return Line ? formatv("line {0}: ", Line.getLine()).str() : "";
}

std::string whyNotFewerBlocks(Function &Kernel) {
  if (Verdict Refused = checkLegality(Kernel, Coarsening()))
    return atLine(Refused->Where) + Refused->Message;
  for (const Instruction &I : instructions(Kernel)) {
    const SpecialRegister *Read = specialRegister(I);
    if (Read && Read->Family == RegisterFamily::GridExtent)
      return atLine(I.getDebugLoc()) + "the kernel reads how many blocks there are";
  }
  return "";
}

} // namespace gpuprune
