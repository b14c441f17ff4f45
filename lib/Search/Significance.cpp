//===- Significance.cpp - Is one variant faster than another? ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Significance.h"
#include "gpuprune/Support/Median.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <cstdint>
#include <numeric>

using namespace llvm;

namespace gpuprune {

/// Up to here the distribution of the rank sum is computed, in n^3 steps.
static constexpr size_t LargestExact = 100;

/// Twice the rank of each of \p Sizes, from 1 up; equal ones share the mean, so
/// that twice the rank is an integer.
static std::vector<uint64_t> doubledRanks(ArrayRef<double> Sizes) {
  std::vector<size_t> Order(Sizes.size());
  std::iota(Order.begin(), Order.end(), 0);
  llvm::sort(Order, [&](size_t A, size_t B) { return Sizes[A] < Sizes[B]; });
  std::vector<uint64_t> Ranks(Sizes.size());
  for (size_t Begin = 0, End = 0; Begin != Order.size(); Begin = End) {
    while (End != Order.size() && Sizes[Order[End]] == Sizes[Order[Begin]])
      ++End;
    for (size_t I = Begin; I != End; ++I)
      Ranks[Order[I]] = (Begin + 1) + End;
  }
  return Ranks;
}

/// Probability of each value of the sum of \p Ranks whose signs are positive by
/// the toss of a coin.
static std::vector<double> distributionOfSum(ArrayRef<uint64_t> Ranks) {
  std::vector<double> Probability(std::accumulate(Ranks.begin(), Ranks.end(), uint64_t(0)) + 1);
  Probability[0] = 1;
  uint64_t Largest = 0;
  for (uint64_t Rank : Ranks) {
    Largest += Rank;
    for (uint64_t Sum = Largest + 1; Sum-- != 0;)
      Probability[Sum] = (Probability[Sum] + (Sum >= Rank ? Probability[Sum - Rank] : 0)) / 2;
  }
  return Probability;
}

static double upperTailOfNormal(double Z) { return std::erfc(Z / std::sqrt(2.0)) / 2; }

/// Mean and standard deviation of the sum of positive \p Ranks.
static std::pair<double, double> momentsOfSum(ArrayRef<uint64_t> Ranks) {
  double Mean = 0, Variance = 0;
  for (uint64_t Rank : Ranks) {
    Mean += double(Rank) / 2;
    Variance += double(Rank) * double(Rank) / 4;
  }
  return {Mean, std::sqrt(Variance)};
}

double signedRankP(ArrayRef<double> Differences) {
  std::vector<double> Sizes;
  std::vector<bool> Positive;
  for (double D : Differences)
    if (D != 0) {
      Sizes.push_back(std::abs(D));
      Positive.push_back(D > 0);
    }
  if (Sizes.empty())
    return 1;
  std::vector<uint64_t> Ranks = doubledRanks(Sizes);
  uint64_t Observed = 0, All = 0;
  for (size_t I = 0; I != Ranks.size(); ++I) {
    All += Ranks[I];
    Observed += Positive[I] ? Ranks[I] : 0;
  }
  // The distribution is symmetric: look at the lower tail.
  uint64_t Lower = std::min(Observed, All - Observed);
  double Tail = 0;
  if (Ranks.size() <= LargestExact) {
    std::vector<double> Probability = distributionOfSum(Ranks);
    Tail = std::accumulate(Probability.begin(), Probability.begin() + Lower + 1, 0.0);
  } else {
    auto [Mean, Deviation] = momentsOfSum(Ranks);
    // Half a rank, which is one here.
    Tail = upperTailOfNormal((Mean - double(Lower) - 1) / Deviation);
  }
  return std::min(1.0, 2 * Tail);
}

/// How many of the sorted pairwise means lie outside the interval on each side.
static size_t meansOutside(size_t Rounds) {
  std::vector<uint64_t> Ranks(Rounds);
  std::iota(Ranks.begin(), Ranks.end(), 1);
  if (Rounds > LargestExact) {
    auto [Mean, Deviation] = momentsOfSum(Ranks);
    static constexpr double Quantile = 1.959963984540054; // Of 1 - SignificanceLevel / 2.
    return static_cast<size_t>(Mean - Quantile * Deviation);
  }
  std::vector<double> Probability = distributionOfSum(Ranks);
  size_t Outside = 0;
  double Tail = Probability[0];
  while (Tail <= SignificanceLevel / 2)
    Tail += Probability[++Outside];
  return Outside;
}

double RatioEstimate::farthestFromOne() const { return std::max(High, 1 / Low) - 1; }

static bool areTimes(ArrayRef<double> Values) {
  return all_of(Values, [](double V) { return std::isfinite(V) && V > 0; });
}

std::optional<RatioEstimate> compareRounds(ArrayRef<double> A, ArrayRef<double> B) {
  if (A.size() != B.size() || A.size() < FewestRounds || !areTimes(A) || !areTimes(B))
    return std::nullopt;
  std::vector<double> Differences;
  for (auto [TimeA, TimeB] : zip_equal(A, B))
    Differences.push_back(std::log(TimeA) - std::log(TimeB));
  std::vector<double> Means;
  for (size_t I = 0; I != Differences.size(); ++I)
    for (size_t J = I; J != Differences.size(); ++J)
      Means.push_back((Differences[I] + Differences[J]) / 2);
  llvm::sort(Means);
  size_t Outside = meansOutside(Differences.size());
  RatioEstimate Estimate;
  // Outside is above the probability's last step: the means that far in are the ends.
  Estimate.Low = std::exp(Means[Outside - 1]);
  Estimate.High = std::exp(Means[Means.size() - Outside]);
  Estimate.Ratio = std::exp(median(std::move(Means)).value_or(0));
  Estimate.P = signedRankP(Differences);
  return Estimate;
}

std::vector<double> adjustByHolm(ArrayRef<double> P) {
  std::vector<size_t> Order(P.size());
  std::iota(Order.begin(), Order.end(), 0);
  llvm::sort(Order, [&](size_t A, size_t B) { return std::pair(P[A], A) < std::pair(P[B], B); });
  std::vector<double> Adjusted(P.size());
  double Least = 0;
  for (size_t I = 0; I != Order.size(); ++I) {
    Least = std::max(Least, std::min(1.0, double(P.size() - I) * P[Order[I]]));
    Adjusted[Order[I]] = Least;
  }
  return Adjusted;
}

std::optional<double> medianDeviation(ArrayRef<double> Values) {
  std::optional<double> Middle = median(Values.vec());
  if (!Middle)
    return std::nullopt;
  std::vector<double> Distances;
  for (double V : Values)
    Distances.push_back(std::abs(V - *Middle));
  return median(std::move(Distances));
}

} // namespace gpuprune
