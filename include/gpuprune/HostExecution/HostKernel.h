//===- HostKernel.h - A kernel compiled for the CPU -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_HOSTEXECUTION_HOSTKERNEL_H
#define GPUPRUNE_HOSTEXECUTION_HOSTKERNEL_H

#include <cstdint>
#include <string>
#include <vector>

namespace gpuprune {

/// What to compile, and how.
struct HostOptions {
  /// Kernels to compile, by symbol or source name; empty: all of the module.
  std::vector<std::string> Kernels;
  /// Count how often loops go round, for HostLaunch::StepLimit. Costs some speed.
  bool CountSteps = false;
  /// Show every access to memory to HostLaunch::Trace, and check it: exact bounds,
  /// alignment, reads of shared memory and of buffers marked unwritten before
  /// anything is written there. Vector accesses are those of the PTX, as far as the
  /// back end's vectoriser finds them (initializeCodeGen() must have been called).
  /// Many times slower.
  bool WatchMemory = false;
  /// With WatchMemory: show every conditional branch to HostLaunch::Trace, too.
  bool WatchBranches = false;
  /// Compile two to four times as long for code that runs up to 2.5 times as fast;
  /// for large launches.
  bool FastCode = false;
  /// Bytes of stack that a thread needs beyond one frame of each function: for
  /// recursion.
  uint64_t StackBytes = 0;
};

/// A kernel as a launch has to know it.
struct HostKernel {
  std::string Symbol;
  std::vector<uint64_t> ParameterBytes;
  uint64_t StaticShared = 0; ///< Bytes, a multiple of 16.
  /// Threads wait for each other: at barriers, in warp operations.
  bool ThreadsMeet = false;
  std::vector<unsigned> Pointers; ///< The parameters that are pointers, from 0.
};

} // namespace gpuprune

#endif // GPUPRUNE_HOSTEXECUTION_HOSTKERNEL_H
