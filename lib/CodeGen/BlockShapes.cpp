//===- BlockShapes.cpp - Which block shapes the kernel in bitcode may have --===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/BlockShapes.h"
#include "PreparedKernel.h"

using namespace llvm;

namespace gpuprune {

Expected<BlockShapeFreedom> blockShapesIn(StringRef Bitcode, StringRef Kernel,
                                          const ArgumentBuffers &Buffers) {
  return askPreparedKernel(Bitcode, Kernel, [&](Function &F) { return findBlockShapeFreedom(F, Buffers); });
}

Expected<std::optional<ShapeObstacle>> whyNotChangeBlock(StringRef Bitcode, StringRef Kernel,
                                                         const BlockChange &Change) {
  return askPreparedKernel(Bitcode, Kernel, [&](Function &F) {
    return findBlockShapeFreedom(F, distinctBuffers(F)).whyNotAsManyThreads(Change.From, Change.To);
  });
}

} // namespace gpuprune
