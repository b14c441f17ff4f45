//===- BlockShapes.h - Which block shapes the kernel in bitcode may have ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CODEGEN_BLOCKSHAPES_H
#define GPUPRUNE_CODEGEN_BLOCKSHAPES_H

#include "gpuprune/Launch/BlockChange.h"
#include "gpuprune/Transforms/BlockShapeFreedom.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace gpuprune {

/// The kernel compiled with \p Defines.
struct ShapesOfDefines {
  llvm::StringMap<std::string> Defines; ///< All of the workload's.
  BlockShapeFreedom Freedom;
};

/// Prepares the front end's \p Bitcode and asks its kernel \p Kernel, by symbol or source name.
/// Errors: Input, where the bitcode cannot be read or does not have exactly one such kernel.
llvm::Expected<BlockShapeFreedom> blockShapesIn(llvm::StringRef Bitcode, llvm::StringRef Kernel,
                                                const ArgumentBuffers &Buffers);

/// Why the kernel may not be launched as \p Change says, whatever the launch is given, where it may not
/// (BlockShapeFreedom::whyNotAsManyThreads). Errors: as above.
llvm::Expected<std::optional<ShapeObstacle>>
whyNotChangeBlock(llvm::StringRef Bitcode, llvm::StringRef Kernel, const BlockChange &Change);

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_BLOCKSHAPES_H
