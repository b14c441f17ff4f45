//===- GridLoopEnd.cpp - The argument at which loops over the grid end ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/GridLoopEnd.h"
#include "GridStride.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gpuprune {

static bool areOfOneArgument(const GridBound &A, const GridBound &B) {
  return A.Argument == B.Argument && A.Signed == B.Signed;
}

/// Whether what \p I, which depends on the number of blocks, is computed for are the steps of \p Loops.
static bool isForSteps(const Instruction &I, ArrayRef<GridStride> Loops) {
  if (any_of(Loops, [&](const GridStride &Loop) { return Loop.Next == &I; }))
    return true;
  bool IsArithmetic = isa<CastInst>(I) || I.getOpcode() == Instruction::Mul ||
                      I.getOpcode() == Instruction::Shl || specialRegister(I);
  return IsArithmetic && all_of(I.users(), [&](const User *U) {
           return isa<Instruction>(U) && isForSteps(cast<Instruction>(*U), Loops);
         });
}

static bool isForSteps(const Function &Kernel, ArrayRef<GridStride> Loops) {
  return all_of(instructions(Kernel), [&](const Instruction &I) {
    const SpecialRegister *Read = specialRegister(I);
    return !Read || Read->Family != RegisterFamily::GridExtent || isForSteps(I, Loops);
  });
}

std::optional<GridBound> gridLoopEnd(Function &Kernel) {
  EliminateUnreachableBlocks(Kernel);
  DominatorTree DT(Kernel);
  LoopInfo LI(DT);
  SmallVector<GridStride, 2> Loops = findGridStrides(LI, IndexTerms(Kernel));
  if (!isForSteps(Kernel, Loops))
    return std::nullopt;
  std::optional<GridBound> Common;
  for (const GridStride &Loop : Loops) {
    std::optional<GridBound> End = Loop.end();
    if (!End || (Common && !areOfOneArgument(*Common, *End)))
      return std::nullopt;
    Common = End;
  }
  return Common;
}

} // namespace gpuprune
