//===- GridLoopEnd.cpp - The argument at which loops over the grid end ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/GridLoopEnd.h"
#include "GridStride.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gpuprune {

static bool areOfOneArgument(const GridBound &A, const GridBound &B) {
  return A.Argument == B.Argument && A.Signed == B.Signed;
}

std::optional<GridBound> gridLoopEnd(Function &Kernel) {
  EliminateUnreachableBlocks(Kernel);
  DominatorTree DT(Kernel);
  LoopInfo LI(DT);
  std::optional<GridBound> Common;
  for (const GridStride &Loop : findGridStrides(LI, IndexTerms(Kernel))) {
    std::optional<GridBound> End = Loop.end();
    if (!End || (Common && !areOfOneArgument(*Common, *End)))
      return std::nullopt;
    Common = End;
  }
  return Common;
}

} // namespace gpuprune
