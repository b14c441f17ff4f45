//===- BlockDimensions.h - Which blocks a workload's kernel may have --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block shape is offered where the launch follows the block, and the kernel does
// (BlockShapeFreedom.h) or its author promises that it does (block-free).
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_VARIANT_BLOCKDIMENSIONS_H
#define GPUPRUNE_VARIANT_BLOCKDIMENSIONS_H

#include "gpuprune/CodeGen/BlockShapes.h"
#include "gpuprune/Search/Variant.h"
#include "gpuprune/Workload/Problem.h"

namespace gpuprune {

/// What is known of the block in one dimension.
struct BlockDimension {
  bool Followed = false; ///< By the launch; else there is nothing to choose.
  bool Promised = false; ///< By the workload; then nothing is proved.
  /// Why the kernel takes no other block.
  std::optional<ShapeObstacle> Obstacle;
  /// Else, why it takes only those with which the grid has as many threads.
  std::optional<ShapeObstacle> OtherExtent;
  /// Floating-point additions are made in another order, where the shape is not the author's.
  bool Rounds = false;

  /// Whether some shape may differ from the author's there.
  bool mayDiffer() const { return Followed && (Promised || !Obstacle); }
};

/// \p Shapes are of all choices of defines; without any, nothing is proved.
BlockDimension blockDimension(const Workload &W, llvm::ArrayRef<ShapesOfDefines> Shapes, unsigned Dimension);

/// Why the kernel may not be launched in blocks of \p Block: asked at each size of the workload
/// that the block and the author's can be launched at.
std::optional<ShapeObstacle> whyNotBlock(const Workload &W, llvm::ArrayRef<ShapesOfDefines> Shapes,
                                         const Dim3 &Block);

/// One variant for each choice of defines that has to be asked: all of them, or none where the
/// launch does not follow the block or there are too many.
std::vector<Variant> definesToAsk(const Workload &W);

/// By argument, the buffer it points to.
ArgumentBuffers buffersOf(const ResolvedLaunch &Launch);

} // namespace gpuprune

#endif // GPUPRUNE_VARIANT_BLOCKDIMENSIONS_H
