//===- AccessWatch.h - Checks and reports accesses to memory -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_ACCESSWATCH_H
#define GPUPRUNE_LIB_HOSTEXECUTION_ACCESSWATCH_H

#include "LaunchPlan.h"
#include <vector>

namespace gpuprune {

/// What a worker knows of the memory that a block may access, in a program made
/// with HostOptions::WatchMemory.
class AccessWatch {
public:
  /// \p Shared is the block's shared memory; nothing of it is written yet.
  void startBlock(const LaunchPlan &Plan, llvm::MutableArrayRef<char> Shared);
  /// The fault that \p Access, at \p Address, is, if it is one; else it counts as made.
  std::optional<RawFault> check(const MemoryAccess &Access, const char *Address);
  /// These bytes of shared memory count as written, or as not written any more.
  void setWritten(const char *Address, uint64_t Bytes, bool Written);

private:
  const LaunchPlan *Plan = nullptr;
  llvm::MutableArrayRef<char> Shared;
  std::vector<uint8_t> SharedWritten; ///< A byte for each byte.
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_ACCESSWATCH_H
