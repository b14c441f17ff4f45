//===- AsyncCopies.h - cp.async of a block's threads ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_ASYNCCOPIES_H
#define GPUPRUNE_LIB_HOSTEXECUTION_ASYNCCOPIES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <vector>

namespace gpuprune {

/// Copies happen as late as PTX allows: when their thread waits for them. Until
/// then the destination holds the pattern of what is not written, so that a kernel that
/// reads without waiting does not find, by luck, the right values.
class AsyncCopies {
public:
  void reset(unsigned Threads, uint8_t Pattern);
  /// The first \p Taken of \p Bytes come from \p From, the others are 0.
  void issue(unsigned Thread, char *To, const char *From, uint32_t Bytes, uint32_t Taken);
  void commit(unsigned Thread);
  /// Completes all groups of the thread but the last \p GroupsLeft, and what is in
  /// no group yet if \p Uncommitted.
  /// Tells of each what it has written.
  void wait(unsigned Thread, uint32_t GroupsLeft, bool Uncommitted,
            llvm::function_ref<void(const char *To, uint32_t Bytes)> Completed);

private:
  struct Copy {
    char *To;
    const char *From;
    uint32_t Bytes, Taken;
    uint64_t Group;
  };
  struct Thread {
    std::vector<Copy> Pending; ///< In the order of their groups.
    uint64_t OpenGroup = 0;
  };
  std::vector<Thread> Threads;
  bool Used = false;
  uint8_t Pattern = 0xFF;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_ASYNCCOPIES_H
