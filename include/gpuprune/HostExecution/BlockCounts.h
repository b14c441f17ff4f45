//===- BlockCounts.h - Executions of basic blocks, counted by running ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// How often threads execute each basic block of a kernel, whatever its control
// flow depends on:
//
//   1. The control skeleton: a copy of the kernel with a counter in each block and
//      without everything that does not feed control. Where what is left reads no
//      memory it is run as it is; it needs no data, and loops whose counters alone
//      are left cost nothing. Of a dimension of the grid that the skeleton does
//      not read, one thread block stands for all.
//   2. Where control depends on memory, the whole kernel with counters, over the
//      launch's real data.
//
// All thread blocks are run where the threads fit the budget: the counts are then
// exact. Otherwise some stand for all: those at the far edges of the grid, where
// guards cut threads off, and those inside are counted apart and weighted by
// their number. The choice is the same every time.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_HOSTEXECUTION_BLOCKCOUNTS_H
#define GPUPRUNE_HOSTEXECUTION_BLOCKCOUNTS_H

#include "gpuprune/Analysis/BlockFrequencies.h"
#include "gpuprune/HostExecution/HostProgram.h"
#include <functional>

namespace gpuprune {

struct CountingRequest {
  /// As the launch contract makes it; the arguments of pointers may be null.
  HostLaunch Launch;
  /// Gives \p Launch arguments that point to the real data, and memory, and fills
  /// the variables of \p Program; called only where control depends on memory.
  /// Without it such kernels are not counted.
  std::function<llvm::Error(HostProgram &Program, HostLaunch &Launch)> ProvideData = {};
  /// Threads to run of a skeleton, and of a whole kernel.
  uint64_t SkeletonThreads = uint64_t(1) << 21, KernelThreads = uint64_t(1) << 17;
  double TimeLimit = 2; ///< Seconds, of each run.
};

/// Executions of the blocks and edges of \p Kernel, on average over the threads of
/// the launch; Source says how much of it was run. \p Kernel is left as it is.
/// Errors: Refused (it cannot run on the CPU, or it needs data and there is none),
/// Resources (too much for the time limit), Runner (the kernel faults).
llvm::Expected<BlockFrequencies> countBlocks(const llvm::Function &Kernel, const CountingRequest &Request);

} // namespace gpuprune

#endif // GPUPRUNE_HOSTEXECUTION_BLOCKCOUNTS_H
