//===- ShortenLives.h - Values moved or computed again --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_SHORTENLIVES_H
#define GPUPRUNE_LIB_TRANSFORMS_SHORTENLIVES_H

#include "gpuprune/Analysis/BlockFrequencies.h"

namespace llvm {
class DominatorTree;
}

namespace gpuprune {

/// What moving needs to know of a function; no block is added or removed.
struct MovedIn {
  llvm::Function &F;
  const BlockFrequencies &Frequencies;
  llvm::LoopInfo &Loops;
  llvm::DominatorTree &Dominators;
};

/// Moves computations behind the peak, to their first use, where that frees registers.
/// Each of the three adds a line a value to \p Done.
void sinkValues(const MovedIn &In, std::vector<std::string> &Done);

/// Moves computations before the peak where more registers end with their operands.
void hoistValues(const MovedIn &In, std::vector<std::string> &Done);

/// Computes again, where it is used, what follows in a few instructions from indices and
/// parameters.
void rematerialiseValues(const MovedIn &In, std::vector<std::string> &Done);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_SHORTENLIVES_H
