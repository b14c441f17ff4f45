//===- LanesOfReplicas.h - Lanes that end for one replica -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   if (a[i] < 0)                               if (a[i0] >= 0)
//     return;                                     v0 += __shfl_down_sync(0xffffffff, v0, 1);
//   v += __shfl_down_sync(0xffffffff, v, 1);    if (a[i1] >= 0)          // here come lanes that the first
//                                                 v1 += __shfl_down_sync(0xffffffff, v1, 1);   // waits for
//
// Under "if (i >= n) return;" none comes: who is left out by one replica is left out by all later ones.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_LANESOFREPLICAS_H
#define GPUPRUNE_LIB_TRANSFORMS_LANESOFREPLICAS_H

#include "Coarsening.h"
#include "gpuprune/Launch/LaunchContract.h"

namespace gpuprune {

/// Refuses DependentBarrier where lanes of a warp do something together in a region of \p F that is run
/// replica by replica, and a lane that the author's kernel ends before it may come to the next replica's.
/// \p Divisor is that of the grid so far.
Verdict checkLanesOfReplicas(llvm::Function &F, const Coarsening &C, const Dim3 &Divisor,
                             const Untouched &Skip);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_LANESOFREPLICAS_H
