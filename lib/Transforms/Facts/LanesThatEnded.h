//===- LanesThatEnded.h - Operations that wait for lanes unless they ended ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   if (i >= n)
//     return;
//   v += __shfl_down_sync(0xffffffff, v, 1);   // right: the lanes that it does not wait for have ended
//
// Where a lane goes on with another block in place of ending, the others would wait for it, or exchange
// values with another block's.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_LANESTHATENDED_H
#define GPUPRUNE_LIB_TRANSFORMS_LANESTHATENDED_H

#include "Influence.h"

namespace gpuprune {

/// Refuses DependentBarrier where lanes of a warp do something together in \p F that a lane may be left out
/// of by having ended. \p StaysEnded: whom this condition lets end does not come again, in no later block;
/// \p Concerns: whether a basic block is one of those where lanes go on instead of ending.
Verdict checkNoLaneEnds(
    llvm::Function &F, Influence::Question StaysEnded = [](const llvm::Instruction &) { return false; },
    llvm::function_ref<bool(const llvm::BasicBlock &)> Concerns =
        [](const llvm::BasicBlock &) { return true; });

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_LANESTHATENDED_H
