//===- SearchReplay.h - What a search would have found -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_EVALUATE_SEARCHREPLAY_H
#define GPUPRUNE_EVALUATE_SEARCHREPLAY_H

#include "gpuprune/Search/Strategy.h"

namespace gpuprune {

struct Replayed {
  size_t Measured = 0;
  double MeasuredMs = 0;         ///< One run of each.
  std::optional<double> BestMs;  ///< Of what was measured; nothing where nothing was.
  size_t Until3 = 0, Until1 = 0; ///< Measured until one was within 3 % and 1 % of the best of all; 0: never.
  /// Of the first max(5, 1 %) and max(10, 3 %) of the variants, or of all that were measured.
  std::optional<double> EarlyMs, LaterMs;
  std::vector<std::optional<double>> BestAfter; ///< BestMs after each measurement.
};

/// The time of the fastest of \p Recorded that may win.
std::optional<double> bestTime(llvm::ArrayRef<VariantResult> Recorded);

/// Lets \p Search choose what to measure, where a measurement is a look at \p Recorded.
Replayed replaySearch(Strategy &Search, llvm::ArrayRef<VariantResult> Recorded);

/// The same beside building, where measuring is the faster of both: all that \p Early wants of the
/// \p Portions that are built is measured before the next one is there, then what \p Search wants of all.
Replayed replayBeside(Strategy &Early, Strategy &Search, llvm::ArrayRef<VariantResult> Recorded,
                      llvm::ArrayRef<std::vector<size_t>> Portions);

/// What the model chooses of \p Recorded, or \p Stock, without a measurement.
Replayed replayModelChoice(llvm::ArrayRef<VariantResult> Recorded, const VariantResult &Stock);

} // namespace gpuprune

#endif // GPUPRUNE_EVALUATE_SEARCHREPLAY_H
