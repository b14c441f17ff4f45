//===- ProgramNames.h - Tells programs apart by a short name --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_PROGRAMNAMES_H
#define GPUPRUNE_LIB_RUNTIME_PROGRAMNAMES_H

#include "gpuprune/Runtime/Protocol.h"
#include <deque>

namespace gpuprune {

/// The programs of a sequence have hundreds of launches, in which they are compared rather than written down.
class ProgramNames {
public:
  /// Two programs have the same name only if they are equal. One that was not asked for in a long time may
  /// get another name than it had.
  std::string nameOf(const protocol::Program &P);

private:
  struct Named {
    protocol::Program Program;
    uint64_t Number;
  };
  static constexpr size_t MostLaunches = size_t(1) << 15; ///< Of all that are known, about 30 MB.

  std::deque<Named> Known; ///< The one asked for last is the first.
  size_t Launches = 0;     ///< Of all of them.
  uint64_t Next = 0;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_PROGRAMNAMES_H
