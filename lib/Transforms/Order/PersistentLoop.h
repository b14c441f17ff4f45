//===- PersistentLoop.h - The loop over the blocks that one block does ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_PERSISTENTLOOP_H
#define GPUPRUNE_LIB_TRANSFORMS_PERSISTENTLOOP_H

#include "llvm/ADT/ArrayRef.h"
#include <array>

namespace llvm {
class Function;
class Value;
} // namespace llvm

namespace gpuprune {

/// Lets \p F, whose calls are inlined, do all blocks of a grid of \p Extent with the blocks that are launched
/// in x; \p Consecutive: each of them a contiguous range.
void loopOverBlocks(llvm::Function &F, const std::array<llvm::Value *, 3> &Extent, bool Consecutive);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_PERSISTENTLOOP_H
