//===- SmallerGrids.h - Down to which grid a variant pays ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_SMALLERGRIDS_H
#define GPUPRUNE_DRIVER_SMALLERGRIDS_H

#include "gpuprune/Driver/LaunchClasses.h"
#include "gpuprune/Driver/MakeRecord.h"
#include "gpuprune/Driver/Tuner.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuprune {

/// Down to which launch a variant was timed to pay.
struct SmallestGrid {
  uint64_t Blocks = 0;
  std::string Why; ///< Why no smaller grid was timed; empty: one was, or the smallest there is pays.
  /// Where there is no smaller grid and the loops over it end at an argument: down to which value of that.
  std::optional<TimedLoopEnd> LoopEnd = std::nullopt;
  std::string Wrong = {}; ///< What the variant computed else in a smaller launch; empty: nothing.
};

/// Seconds that are left of the budget; nothing: there is no budget.
using SecondsLeft = llvm::function_ref<std::optional<double>()>;

/// The value that the argument \p End has in the recording in \p Folder; nothing where it is negative, no
/// such integer, or larger than 2^62.
std::optional<uint64_t> recordedLoopEnd(llvm::StringRef Folder, const LeastLoopEnd &End);

/// The grid of the first blocks of \p Grid where its largest extent is halved, again and again: \p Halvings
/// times. Extents that are others are made multiples of \p Multiples. Nothing where there is no such smaller
/// grid.
std::optional<Dim3> firstBlocks(Dim3 Grid, unsigned Halvings, const Dim3 &Multiples);

/// The number of blocks of the smallest grid of those that \p Gains is asked about which pays, as all larger
/// ones that it was asked about do: a quarter of \p Grid, a quarter of that, and so on, and twice the first
/// that does not pay. At most six are asked about, and all have more than \p Above blocks; \p Gains is
/// nothing where it could not be found out.
uint64_t smallestThatPays(const Dim3 &Grid, uint64_t Above, const Dim3 &Multiples,
                          llvm::function_ref<std::optional<double>(const Dim3 &)> Gains);

/// That of the variant \p Best of the recording that \p Options, with which it was tuned, name. It and stock
/// clang's code are timed on the first blocks of the recorded launch, where these do what they would do in a
/// smaller launch; where they do not, with the loops over the grid ending sooner, if an argument says where
/// they end. Grids of up to \p Above blocks are another class's.
SmallestGrid smallestGrid(TuneOptions Options, const Dim3 &Grid, uint64_t Above, const BestRecord &Best,
                          SecondsLeft Left, Progress &Shown);

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_SMALLERGRIDS_H
