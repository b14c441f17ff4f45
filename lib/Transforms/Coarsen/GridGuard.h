//===- GridGuard.h - Replicas that the author's grid does not have ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  work(blockIdx.x, gridDim.x);   After:  if (blockIdx.x >= grid.x) return;
//                                                 work(blockIdx.x, grid.x);
//
// where grid.x is a parameter that the host sets to the author's gridDim.x. That is
// the kernel to be coarsened: the guard is asked for all replicas at once and costs
// one comparison, the same for all threads of a block (FastPath.h).
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_GRIDGUARD_H
#define GPUPRUNE_LIB_TRANSFORMS_GRIDGUARD_H

#include "Coarsening.h"
#include "gpuprune/Launch/LaunchContract.h"

namespace gpuprune {

struct GridGuard {
  llvm::BranchInst *Branch = nullptr;    ///< Its first successor goes on, its second leaves; null: no guard.
  std::array<llvm::Value *, 3> Extent{}; ///< Blocks of the grid to be coarsened; null: any block is in it.

  explicit operator bool() const { return Branch; }
};

/// Guards \p F, which has the parameters of \p Contract, in the dimensions that \p C
/// coarsens for any grid; \p Divisor is by what the author's grid was divided before.
GridGuard guardGrid(llvm::Function &F, const Coarsening &C, const LaunchContract &Contract,
                    const Dim3 &Divisor);

/// Whether all replicas of the block are in the grid, computed at \p B.
llvm::Value *isWholeBlockInGrid(llvm::IRBuilder<> &B, const Coarsening &C, const GridGuard &Guard,
                                Untouched &Skip);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_GRIDGUARD_H
