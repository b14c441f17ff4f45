//===- SplitLoops.h - Loops that end at different times in each replica ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  if (i < n)             After:  if (for all replicas: i < n)
//            do {                           do {
//              body(i);                       body(i);               // to be jammed
//              i += s;                        i += s;
//            } while (i < n);               } while (for all replicas: i < n);
//                                         if (i < n)                 // replica by replica
//                                           do { body(i); i += s; } while (i < n);
//
// All replicas are in the same iteration of the first loop; the second begins with
// the values that the first left. Nothing is computed that the author's kernel does
// not compute: each condition is asked where that replica's own would be.
//
// A loop is made two if
//   - its exits are passed by every iteration, and each of them is at the end of the
//     iteration or before anything in it has an effect (the rest then computes the
//     condition again);
//   - the way to it does not differ between replicas, but for a guard right before it,
//     with nothing between them that could not be computed anyhow;
//   - where the lanes of a warp or the threads of a block do something together in it,
//     all threads of a block leave it alike: else those of one would wait in the first
//     loop for others in the second.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_SPLITLOOPS_H
#define GPUPRUNE_LIB_TRANSFORMS_SPLITLOOPS_H

#include "Coarsening.h"

namespace gpuprune {

/// Brings the loops of \p F into the form that splitLoops needs.
void simplifyLoops(llvm::Function &F, const Untouched &Skip);

/// The guards that splitLoops takes care of as \p F is now.
llvm::SmallPtrSet<const llvm::Instruction *, 4> guardsOfSplitLoops(llvm::Function &F, const Coarsening &C,
                                                                   const Untouched &Skip);

/// Makes two of each loop of \p F that replicas leave at different times, where it can.
void splitLoops(llvm::Function &F, const Coarsening &C, const Untouched &Skip);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_SPLITLOOPS_H
