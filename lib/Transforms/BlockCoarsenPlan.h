//===- BlockCoarsenPlan.h - What coarsening a kernel replicates -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_BLOCKCOARSENPLAN_H
#define GPUPRUNE_LIB_TRANSFORMS_BLOCKCOARSENPLAN_H

#include "PrivateShared.h"

namespace gpuprune {

/// What coarsening by one dimension does to a kernel; nothing is changed yet.
struct BlockCoarsenPlan {
  unsigned Dimension = 0; ///< 0, 1, 2 for x, y, z.
  unsigned Factor = 1;
  SharedLayout Layout = SharedLayout::Blocked;
  /// Instructions that differ between replicas, the reads of the block index
  /// themselves left out.
  llvm::SetVector<llvm::Instruction *> Replicated;
  llvm::SmallVector<llvm::Instruction *, 2> BlockIndexReads;
  llvm::SmallVector<llvm::Instruction *, 2> GridSizeReads;
  /// Shared arrays whose contents differ between replicas.
  llvm::SmallVector<ObjectUses, 2> Privatised;
};

/// Decides what to replicate, or why it cannot be done; see BlockCoarsen.h.
Verdict planBlockCoarsening(llvm::Function &F, BlockCoarsenPlan &Plan);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_BLOCKCOARSENPLAN_H
