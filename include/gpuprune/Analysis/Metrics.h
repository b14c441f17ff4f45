//===- Metrics.h - Efficiency and Utilization -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two metrics of Ryoo et al., "Program Optimization Space Pruning for a
// Multithreaded GPU" (CGO'08), section 4. More is better for both; only values of
// variants of the same kernel on the same device compare.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_ANALYSIS_METRICS_H
#define GPUPRUNE_ANALYSIS_METRICS_H

namespace gpuprune {

/// Equation 1: 1 / (Instr * Threads), with \p Instr the instructions one thread
/// executes and \p Threads the threads of the whole launch. NaN unless both are positive.
double efficiency(double Instr, double Threads);

/// Equation 2: Instr / Regions * [(W - 1) / 2 + (B - 1) * W]: the independent
/// instructions that can cover a region's latency, from the other warps of a
/// block (half of which are held at the same barrier) and from the other blocks.
/// \p Regions counts the blocking regions one thread passes; W is
/// \p WarpsPerBlock, B is \p BlocksPerSM. NaN unless all four are positive.
double utilization(double Instr, double Regions, unsigned WarpsPerBlock, unsigned BlocksPerSM);

/// What a grid of \p Blocks leaves of a GPU of \p SMCount SMs: the mean number of blocks
/// an SM gets over the largest, at most 1. A small grid keeps SMs idle, which Ryoo et al.,
/// whose grids are large, need not count. NaN unless both are positive.
double loadBalance(double Blocks, unsigned SMCount);

/// Blocks that are resident on an SM together: \p BlocksPerSM, or what the grid has for it.
unsigned residentBlocks(double Blocks, unsigned SMCount, unsigned BlocksPerSM);

} // namespace gpuprune

#endif // GPUPRUNE_ANALYSIS_METRICS_H
