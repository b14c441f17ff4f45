//===- LevelMarks.cpp - What the front end says of its optimisation level ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LevelMarks.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace gpuprune {

/// \p Loop without the mark; null where that says nothing more.
static MDNode *withoutMark(LLVMContext &Context, MDNode *Loop) {
  MDNode *Rest = makePostTransformationMetadata(Context, Loop, {"llvm.loop.unroll.disable"}, {});
  return Rest && Rest->getNumOperands() > 1 ? Rest : nullptr;
}

WithoutLevelMarks::WithoutLevelMarks(Module &M, OptimizationLevel Level) {
  if (Level != OptimizationLevel::O1)
    return;
  for (Function &F : M)
    for (BasicBlock &BB : F)
      if (Instruction *Last = BB.getTerminator())
        if (MDNode *Loop = Last->getMetadata(LLVMContext::MD_loop)) {
          Marked.push_back({Last, Loop});
          Last->setMetadata(LLVMContext::MD_loop, withoutMark(M.getContext(), Loop));
        }
}

WithoutLevelMarks::~WithoutLevelMarks() {
  for (auto [Last, Loop] : Marked)
    Last->setMetadata(LLVMContext::MD_loop, Loop);
}

} // namespace gpuprune
