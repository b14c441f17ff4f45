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

/// The threads of up to \p Most warps that are spread over a launch, each at most once; the last warp of a
/// block may have fewer than 32.
std::vector<std::vector<ThreadPlace>> sampledWarps(const Dim3 &Grid, const Dim3 &Block, uint64_t Most);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_WARPSAMPLE_H
