//===- OperationScope.h - Groups of threads -------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_ANALYSIS_OPERATIONSCOPE_H
#define GPUPRUNE_ANALYSIS_OPERATIONSCOPE_H

#include <cstdint>

namespace gpuprune {

/// Groups of threads, each a part of the next.
enum class OperationScope : uint8_t { Thread, Warp, Block, Cluster, Grid, System };

} // namespace gpuprune

#endif // GPUPRUNE_ANALYSIS_OPERATIONSCOPE_H
