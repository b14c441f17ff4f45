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
//      without everything that does not feed control. Loops whose counters alone are
//      left cost nothing. Where what is left reads no memory it is run as it is;
//      where it reads what the kernel never writes, over that part of the launch's
//      data. Of a dimension of the grid that the skeleton does not read, one thread
//      block stands for all.
//   2. Where control depends on what the kernel computes in memory, the whole kernel
//      with counters, over the launch's data.
//
// A first run over few threads tells what a block costs. Where all can be run for
// CountingRequest::Instructions they are, and the counts are exact. Otherwise some
// stand for all: the first and the last blocks of each dimension, where guards cut
// threads off, are strata of their own, apart from those inside, and each stratum
// has its weight. Threads that neither meet nor share memory are drawn one by one (32
// neighbours together where they read data): those of a block from as many places,
// and from the same places of the launch for most shapes of a block. The choice is
// the same every time.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_HOSTEXECUTION_BLOCKCOUNTS_H
#define GPUPRUNE_HOSTEXECUTION_BLOCKCOUNTS_H

#include "gpuprune/Analysis/BlockFrequencies.h"
#include "gpuprune/HostExecution/HostProgram.h"
#include <functional>
#include <mutex>

namespace gpuprune {

/// What has been counted, for kernels with the same control flow: variants that differ
/// in what does not feed control are run once. Safe on many threads.
class CountCache {
public:
  CountCache();
  ~CountCache();

private:
  struct Entry;
  friend class CountingRun;
  std::mutex Lock; ///< Of the map; what it holds has its own.
  std::map<std::string, std::shared_ptr<Entry>> Entries;

  std::shared_ptr<Entry> entry(const std::string &Key);
};

struct CountingRequest {
  /// As the launch contract makes it; the arguments of pointers may be null.
  HostLaunch Launch;
  /// Gives \p Launch arguments that point to the real data, and memory, and fills
  /// the variables of \p Program; called only where control depends on memory, and
  /// again for each run: the data has to be new. Different arguments must not overlap.
  /// Without it such kernels are not counted.
  std::function<llvm::Error(HostProgram &Program, HostLaunch &Launch)> ProvideData = {};
  CountCache *Cache = nullptr; ///< May be null.
  std::string DataKey;         ///< The same where ProvideData gives the same.
  /// IR instructions to execute, about; a billion takes a second. Runs that cannot be
  /// kept within 64 times as many are not made.
  uint64_t Instructions = uint64_t(1) << 24;
  /// How often the loops of the thread blocks that are run may go round, about. No time: what is counted is
  /// the same on any machine, whatever else runs there.
  uint64_t Rounds = uint64_t(1) << 30;
};

/// Executions of the blocks and edges of \p Kernel, on average over the threads of
/// the launch; Source says how much of it was run. \p Kernel is left as it is.
/// Errors: Refused (it cannot run on the CPU, or it needs data and there is none),
/// Resources (too much for the limits), Runner (the kernel faults).
llvm::Expected<BlockFrequencies> countBlocks(const llvm::Function &Kernel, const CountingRequest &Request);

} // namespace gpuprune

#endif // GPUPRUNE_HOSTEXECUTION_BLOCKCOUNTS_H
