//===- GridStride.h - Loops whose threads stride over the whole grid ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// for (i = c * ctaid.x + h; i < bound; i += c * nctaid.x), rotated: the bound is tested in front of the
// loop and at its only exit, the latch.
//
// c is a sum of products of ntid and positive constants, h of tid, ntid and such. Both are bounded: c by
// LargestGridStride and h by LargestFirst in any block of 1024 threads, and c * MostGridBlocks + h by 2^31,
// so that in MostGridBlocks blocks neither i's start nor the step reaches that.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_GRIDSTRIDE_H
#define GPUPRUNE_LIB_TRANSFORMS_GRIDSTRIDE_H

#include "Facts/IndexTerms.h"
#include "gpuprune/Launch/LaunchContract.h"
#include "llvm/Analysis/LoopInfo.h"

namespace llvm {
class BranchInst;
class ICmpInst;
} // namespace llvm

namespace gpuprune {

inline constexpr uint64_t LargestFirst = 1 << 24;

struct GridStride {
  llvm::Loop *L = nullptr;
  llvm::PHINode *Index = nullptr;
  llvm::Instruction *Next = nullptr; ///< Index + Step.
  llvm::Value *Start = nullptr, *Step = nullptr, *Bound = nullptr;
  llvm::ICmpInst *Entry = nullptr, *Exit = nullptr;
  llvm::BranchInst *Guard = nullptr; ///< On Entry.
  llvm::BasicBlock *Merge = nullptr; ///< Where the ways with and without iterations meet.
  /// Blocks on these ways outside of the loop; each has one way in and one way out.
  llvm::SmallVector<llvm::BasicBlock *, 4> Between;
  bool Inclusive = false, Signed = true;
  Polynomial PerBlock; ///< c.

  /// What a launch has to be asked for how far the loop goes, where that is one argument.
  std::optional<GridBound> end() const;

  /// What a header's phi is without an iteration, and after the last one.
  llvm::Value *before(const llvm::PHINode &Phi) const;
  llvm::Value *after(const llvm::PHINode &Phi) const;

  /// Lets Exit ask Bound - Index > Step, in which nothing wraps.
  void testWithoutWrapping() const;
};

/// The loops over the grid in x among those of \p LI.
llvm::SmallVector<GridStride, 2> findGridStrides(const llvm::LoopInfo &LI, const IndexTerms &Terms);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_GRIDSTRIDE_H
