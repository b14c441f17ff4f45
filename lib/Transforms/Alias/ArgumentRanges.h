//===- ArgumentRanges.h - What a launch accesses through each parameter -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_ARGUMENTRANGES_H
#define GPUPRUNE_LIB_TRANSFORMS_ARGUMENTRANGES_H

#include "LaunchRanges.h"
#include "llvm/ADT/MapVector.h"

namespace gpuprune {

/// All loads and stores through a pointer parameter whose places are known, and what they cover.
struct ArgumentRange {
  llvm::SmallVector<llvm::Instruction *, 8> Accesses;
  bool IsWritten = false;
  const llvm::SCEV *Begin = nullptr, *End = nullptr; ///< Bytes from the pointer, of 64 bits.
};

/// By parameter, in the order in which they are accessed.
using ArgumentRanges = llvm::MapVector<llvm::Argument *, ArgumentRange>;

/// What \p F accesses through its parameters, by instructions that are \p Among them. \p Unknown becomes the
/// first access through one of which it is not known where it goes.
ArgumentRanges rangesOfArguments(llvm::Function &F, llvm::ScalarEvolution &SE, LaunchRanges &Ranges,
                                 llvm::function_ref<bool(const llvm::Instruction &)> Among,
                                 llvm::Instruction *&Unknown);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_ARGUMENTRANGES_H
