//===- Significance.h - Is one variant faster than another? ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times of interleaved rounds are paired: the two of one round met the same clock
// and temperature. They are compared by the differences of their logarithms, a
// round each: Wilcoxon's signed-rank test says whether these lie around zero, and
// the estimate and the interval that belong to the test (Hodges and Lehmann 1963)
// say how many times as long one takes as the other. Neither assumes a
// distribution, and one disturbed round moves neither far.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SEARCH_SIGNIFICANCE_H
#define GPUPRUNE_SEARCH_SIGNIFICANCE_H

#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <vector>

namespace gpuprune {

/// Differences are told from noise at this level, and intervals hold the true
/// ratio with one minus this probability.
inline constexpr double SignificanceLevel = 0.05;
/// With fewer rounds no difference, however clear, reaches the level: 2 * 2^-5 > 0.05.
inline constexpr unsigned FewestRounds = 6;

/// Two-sided p of Wilcoxon's signed-rank test that \p Differences are symmetric
/// about zero. Zeros are left out; equal sizes share their mean rank. Exact,
/// ties included, for up to 100 differences, else by the normal approximation with
/// corrections for ties and continuity. 1 where nothing is left.
double signedRankP(llvm::ArrayRef<double> Differences);

/// How many times as long one takes as the other.
struct RatioEstimate {
  double Ratio = 1;         ///< exp of the median of the pairwise means of the differences.
  double Low = 1, High = 1; ///< Interval of the signed-rank test.
  double P = 1;             ///< signedRankP of the differences.
  /// How far from 1 the interval reaches: 0.01 is 1 %.
  double farthestFromOne() const;
};

/// Of the paired times \p A over \p B. Nothing where they differ in number, are
/// fewer than FewestRounds, or are not all finite and positive.
std::optional<RatioEstimate> compareRounds(llvm::ArrayRef<double> A, llvm::ArrayRef<double> B);

/// Holm's adjustment of \p P for being several tests at once: none of the adjusted
/// values is below the level by chance in more than that part of all runs.
std::vector<double> adjustByHolm(llvm::ArrayRef<double> P);

/// Median of the distances from the median; nothing where there is no value.
std::optional<double> medianDeviation(llvm::ArrayRef<double> Values);

} // namespace gpuprune

#endif // GPUPRUNE_SEARCH_SIGNIFICANCE_H
