//===- LoopSplitter.h - A loop for all replicas, and one for the rest -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_LOOPSPLITTER_H
#define GPUPRUNE_LIB_TRANSFORMS_LOOPSPLITTER_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace gpuprune {

/// A loop in simplified and LCSSA form that replicas leave at different times.
struct SplitLoop {
  llvm::Loop *L = nullptr;
  /// Passed by every iteration.
  llvm::SmallVector<llvm::BranchInst *, 2> Exits;
  /// Branches to the loop's preheader or past it; may be null.
  llvm::BranchInst *Guard = nullptr;
};

/// Lets \p Jammed go on while all replicas do, and then a copy of it for each by
/// itself, whose blocks are added to \p Rests, as in SplitLoops.h. Invalidates what is
/// known about loops.
void splitLoop(llvm::Function &F, SplitLoop &Jammed, llvm::SmallPtrSetImpl<const llvm::BasicBlock *> &Rests);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_LOOPSPLITTER_H
