//===- ShapeMemory.h - What the threads of a grid read of each other --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conditions 3 and 4 of BlockShapeFreedom.h.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_SHAPEMEMORY_H
#define GPUPRUNE_LIB_TRANSFORMS_SHAPEMEMORY_H

#include "ShapeControl.h"
#include "llvm/IR/DataLayout.h"

namespace gpuprune {

/// Memory that \p I accesses at one pointer.
struct ShapeAccess {
  const llvm::Instruction *I;
  const llvm::Value *Pointer;
  uint64_t Bytes; ///< 0: not known.
  bool Writes;
  llvm::SmallVector<const llvm::Value *, 4> Objects;

  bool isAtomic() const;
};

/// Whether \p I is atomic for the threads of all blocks.
bool isForAllBlocks(const llvm::AtomicRMWInst &I);

/// Whether \p A and \p B, both atomic, leave the same in either order.
bool commute(const ShapeAccess &A, const ShapeAccess &B);

/// The accesses of \p F to memory that other threads can see.
std::vector<ShapeAccess> visibleAccesses(llvm::Function &F);

/// Adds to \p Freedom the places that each thread has for itself; what a thread may read of another, if
/// it may.
std::optional<ShapeObstacle> findCommunication(const ShapeControl &Control,
                                               llvm::ArrayRef<ShapeAccess> Accesses,
                                               const ArgumentBuffers &Buffers, BlockShapeFreedom &Freedom);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_SHAPEMEMORY_H
