//===- BlockSample.h - Which thread blocks stand for a grid --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_BLOCKSAMPLE_H
#define GPUPRUNE_LIB_HOSTEXECUTION_BLOCKSAMPLE_H

#include "gpuprune/Support/Dim3.h"
#include <array>
#include <cstdint>
#include <vector>

namespace gpuprune {

/// Thread blocks of which each stands for as many others.
struct BlockStratum {
  std::vector<uint64_t> Blocks; ///< By linear index.
  double Weight = 0;            ///< Blocks of the grid that the stratum has.
};

struct BlockSample {
  std::vector<BlockStratum> Strata;
  bool Complete = false; ///< Nothing is left to chance.
};

/// At most about \p Most blocks (at least 8) of \p Grid. Blocks that differ in no
/// dimension of \p Matters are alike.
BlockSample sampleBlocks(const Dim3 &Grid, std::array<bool, 3> Matters, uint64_t Most);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_BLOCKSAMPLE_H
