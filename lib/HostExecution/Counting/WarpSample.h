//===- WarpSample.h - Which warps stand for a grid -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_WARPSAMPLE_H
#define GPUPRUNE_LIB_HOSTEXECUTION_WARPSAMPLE_H

#include "ThreadTable.h"
#include <vector>

namespace gpuprune {

struct SampledWarp {
  std::vector<ThreadPlace> Threads; ///< Fewer than 32 perhaps of the last of a block.
  uint64_t Number;                  ///< In its block.
};

/// Up to \p Most warps that are spread over a launch, each at most once.
std::vector<SampledWarp> sampledWarps(const Dim3 &Grid, const Dim3 &Block, uint64_t Most);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_WARPSAMPLE_H
