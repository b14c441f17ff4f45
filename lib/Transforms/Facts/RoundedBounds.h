//===- RoundedBounds.h - Comparisons that all threads of a block answer alike ===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop with a barrier in it goes on, for whole blocks, up to a bound that is rounded up:
//
//   end = (n + blockDim.x - 1) / blockDim.x * blockDim.x;
//   for (i = blockIdx.x * blockDim.x + threadIdx.x; i < end; i += gridDim.x * blockDim.x)
//
// threadIdx.x + c * blockDim.x < m * blockDim.x is c < m for every thread. Where i would wrap around between
// two threads of a block, they would part before a barrier, which no CUDA program may do.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_ROUNDEDBOUNDS_H
#define GPUPRUNE_LIB_TRANSFORMS_ROUNDEDBOUNDS_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"

namespace gpuprune {

/// Whether \p I compares a thread's index, a multiple of the block's extent further, with such a multiple.
/// All threads find the same unless they came on different ways to one of the \p Steps from the index to
/// \p I, or left a loop in different iterations before it.
bool comparesWholeBlocks(const llvm::Instruction &I, llvm::SmallPtrSetImpl<const llvm::Instruction *> &Steps);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_ROUNDEDBOUNDS_H
