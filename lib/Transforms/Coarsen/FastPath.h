//===- FastPath.h - A kernel without its guards, where all replicas pass ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  i = f(blockIdx.x);      After:  i = f(blockIdx.x);
//          if (i >= n) return;             if (for all replicas: i < n) {
//          work(i);                          work(i);            // to be jammed
//                                          } else for each replica {
//                                            i = f(its index);
//                                            if (i < n) work(i);
//                                          }
//
// A guard is a branch past some work whose conditions are computed from indices
// and parameters alone. The question is put before anything else happens, once
// for all guards of the kernel. What it computes out of its place carries no
// flags: a condition may have been behind another one that made it defined.
//
// Where threads wait for each other or exchange values, those of a block must
// take the same path: the answers are joined by a barrier (bar.red.and). So must those of
// a block with shared memory, which the other path's replicas use one after another.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_FASTPATH_H
#define GPUPRUNE_LIB_TRANSFORMS_FASTPATH_H

#include "Facts/ForAllReplicas.h"
#include "GridGuard.h"

namespace gpuprune {

/// Makes the two paths of \p F where it has guards, \p Grid among them, and its replicas may run one
/// after another; \p Return is where it returns. The other path's blocks are added
/// to \p Skip.
void addFastPath(llvm::Function &F, const Coarsening &C, const GridGuard &Grid, llvm::BasicBlock *Return,
                 Untouched &Skip);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_FASTPATH_H
