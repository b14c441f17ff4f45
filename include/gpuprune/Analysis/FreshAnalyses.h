//===- FreshAnalyses.h - What a look at a function takes --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_ANALYSIS_FRESHANALYSES_H
#define GPUPRUNE_ANALYSIS_FRESHANALYSES_H

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"

namespace gpuprune {

/// Kept apart from a pipeline's own so that looking cannot change what the pipeline does.
struct FreshAnalyses {
  llvm::TargetLibraryInfoImpl TLII;
  llvm::TargetLibraryInfo TLI;
  llvm::AssumptionCache AC;
  llvm::DominatorTree DT;
  llvm::LoopInfo LI;
  llvm::ScalarEvolution SE;

  explicit FreshAnalyses(llvm::Function &F)
      : TLII(F.getParent()->getTargetTriple()), TLI(TLII, &F), AC(F), DT(F), LI(DT), SE(F, TLI, AC, DT, LI) {}
};

} // namespace gpuprune

#endif // GPUPRUNE_ANALYSIS_FRESHANALYSES_H
