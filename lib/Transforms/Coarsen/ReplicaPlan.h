//===- ReplicaPlan.h - What coarsening a dimension replicates ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_REPLICAPLAN_H
#define GPUPRUNE_LIB_TRANSFORMS_REPLICAPLAN_H

#include "Coarsening.h"
#include "Facts/ControlRegion.h"
#include "JointSums.h"

namespace gpuprune {

/// What coarsening by one dimension does to a kernel.
struct ReplicaPlan {
  unsigned Dimension = 0; ///< 0, 1, 2 for x, y, z.
  unsigned Factor = 1;
  /// Instructions that differ between replicas, the reads of the index
  /// themselves left out. Outside of Regions they are jammed.
  llvm::SetVector<llvm::Instruction *> Replicated;
  /// Disjoint. Each replica runs the whole of one before the next replica does;
  /// all their instructions are in Replicated.
  llvm::SmallVector<ControlRegion, 4> Regions;
  llvm::SmallVector<llvm::Instruction *, 2> IndexReads;
  llvm::SmallVector<llvm::Instruction *, 2> ExtentReads;
  /// Shared arrays whose contents differ between replicas. The pointers into those that are Based
  /// are in Replicated.
  llvm::SmallVector<PrivateArray, 2> Privatised;
  JointSums Joint; ///< None but where the coarsening asks for them.

  bool inRegion(const llvm::BasicBlock *BB) const {
    return llvm::any_of(Regions, [&](const ControlRegion &R) {
      return R.Blocks.contains(const_cast<llvm::BasicBlock *>(BB));
    });
  }
};

/// Decides what to replicate, or why it cannot be done. Blocks of \p F, whose
/// returns are one, are split so that regions have one way in and one way out.
Verdict planReplicas(llvm::Function &F, const Coarsening &C, const Untouched &Skip, ReplicaPlan &Plan);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_REPLICAPLAN_H
