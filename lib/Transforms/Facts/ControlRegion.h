//===- ControlRegion.h - The part of a kernel that a branch decides ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's RegionInfo finds the same blocks around one branch. Around two branches that follow one another it
// has none but the whole function, because its tree holds no sequences of regions, and it is computed anew
// after each split, where dominator trees are updated.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_CONTROLREGION_H
#define GPUPRUNE_LIB_TRANSFORMS_CONTROLREGION_H

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Dominators.h"
#include <optional>

namespace gpuprune {

/// Blocks with one way in, to Head, and one way out, from Join to Exit, so that
/// copies of them can be put one after another.
struct ControlRegion {
  llvm::SetVector<llvm::BasicBlock *> Blocks; ///< Head and Join among them.
  llvm::BasicBlock *Head = nullptr;           ///< Holds a terminator alone.
  llvm::BasicBlock *Join = nullptr;           ///< Ends in a branch to Exit alone.
  llvm::BasicBlock *Exit = nullptr;           ///< Not of the region; may be reached from elsewhere, too.
};

/// Finds such regions of a kernel, one after another, as long as nobody else changes its control flow.
class RegionFinder {
public:
  explicit RegionFinder(llvm::Function &F)
      : DT(F), PDT(F), Updater(DT, PDT, llvm::DomTreeUpdater::UpdateStrategy::Eager) {}

  /// The smallest such region that holds the terminators of \p Inside; blocks are
  /// split where it takes that. None where no block is passed by all ways from
  /// there: the kernel has one `ret`, and yet a loop without end.
  std::optional<ControlRegion> isolate(llvm::ArrayRef<llvm::BasicBlock *> Inside);

private:
  llvm::DominatorTree DT;
  llvm::PostDominatorTree PDT;
  llvm::DomTreeUpdater Updater;
};

/// Lets all `ret`s of a kernel be one; `unreachable` goes there as well, which is
/// as good as anything. Returns its block, of which it is the only instruction.
llvm::BasicBlock *unifyReturns(llvm::Function &F);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_CONTROLREGION_H
