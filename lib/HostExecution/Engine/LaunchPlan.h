//===- LaunchPlan.h - A launch as workers see it -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_LAUNCHPLAN_H
#define GPUPRUNE_LIB_HOSTEXECUTION_LAUNCHPLAN_H

#include "FaultHandler.h"
#include "gpuprune/HostExecution/HostLaunch.h"
#include <atomic>
#include <string>

namespace gpuprune {

/// Runs one thread; takes the address of each argument.
using KernelEntry = void (*)(const void *const *);

/// What does not change during a launch.
struct LaunchPlan {
  std::string Kernel; ///< Symbol.
  KernelEntry Entry = nullptr;
  const void *const *Arguments = nullptr;
  uint32_t Grid[3] = {1, 1, 1}, Block[3] = {1, 1, 1};
  uint64_t SharedBytes = 0; ///< Static and dynamic.
  uint64_t DynamicSharedBytes = 0;
  uint8_t SharedPattern = 0xFF; ///< Of each byte that is not written yet.
  size_t StackBytes = 0;
  bool ThreadsMeet = true;
  uint64_t ScheduleSeed = 0;
  uint64_t StepLimit = 0; ///< 0: none.
  CodeRange Code;
  bool WatchMemory = false;
  const GuardedMemory *Memory = nullptr, *Variables = nullptr; ///< Memory may be null.
  const AccessTrace *Trace = nullptr;
  /// Set when the time is up.
  const std::atomic<bool> *Stop = nullptr;

  unsigned threads() const { return Block[0] * Block[1] * Block[2]; }
  uint64_t blocks() const { return uint64_t(Grid[0]) * Grid[1] * Grid[2]; }
  Dim3 blockIndex(uint64_t Linear) const {
    return {int64_t(Linear % Grid[0]), int64_t(Linear / Grid[0] % Grid[1]),
            int64_t(Linear / Grid[0] / Grid[1])};
  }
  Dim3 threadIndex(unsigned Linear) const {
    return {Linear % Block[0], Linear / Block[0] % Block[1], Linear / Block[0] / Block[1]};
  }
};

/// A fault as it is noticed, before it is put into words.
struct RawFault {
  FaultKind Kind = FaultKind::Memory;
  unsigned Thread = 0;              ///< Linear, in its block.
  std::optional<uint64_t> Address;  ///< Of the memory that was accessed.
  std::optional<BufferPlace> Place; ///< Where that is, if it is known.
  uint64_t CodeAddress = 0;         ///< 0: unknown.
  std::string Text;                 ///< What is not in the other fields.
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_LAUNCHPLAN_H
