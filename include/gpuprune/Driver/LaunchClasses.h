//===- LaunchClasses.h - Which variant is for which launches -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch class of a kernel is a block and a number of blocks. What was tuned for a class is launched from
// its grid on, up to the next larger class of the same block; beyond the largest one there is no end. A class
// that nothing is faster for keeps the author's kernel, also in place of the class below it.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_LAUNCHCLASSES_H
#define GPUPRUNE_DRIVER_LAUNCHCLASSES_H

#include "gpuprune/Deploy/TuningRecord.h"

namespace gpuprune {

/// Of \p Grid; what exceeds 64 bits is the largest number, and no launch.
uint64_t blocksOf(const Dim3 &Grid);

/// Down to where loops over the grid may end, and where they did in the recorded launch.
struct TimedLoopEnd {
  LeastLoopEnd Least;
  uint64_t Recorded = 0;
};

/// A launch class that was tuned.
struct TunedClass {
  Dim3 Block;
  uint64_t Blocks = 0;                ///< Of the grid.
  std::optional<TuningRecord> Record; ///< Nothing: the author's kernel is the fastest.
  /// The smallest grid that the record was timed to pay for; at most Blocks.
  uint64_t LeastBlocks = 0;
  /// For grids that the record's blocks do not divide, as BestRecord has it.
  std::optional<TuningRecord> Otherwise = std::nullopt;
  std::optional<TimedLoopEnd> LoopEnd = std::nullopt;
  /// LeastBlocks of Otherwise; nothing: it was timed for this launch alone.
  std::optional<uint64_t> OtherwiseLeast = std::nullopt;
};

/// The variants of the file of a kernel with \p Classes, by block and grid. No two of them are for the same
/// launch, but that Otherwise stands behind the record; where there are several of one class, the one of the
/// longest launch counts.
std::vector<TuningRecord> variantsOf(std::vector<TunedClass> Classes);

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_LAUNCHCLASSES_H
