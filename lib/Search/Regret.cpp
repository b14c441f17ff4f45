//===- Regret.cpp - What not measuring everything costs -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Regret.h"
#include "gpuprune/Support/Median.h"
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

using namespace llvm;

namespace gpuprune {

static constexpr double Infinity = std::numeric_limits<double>::infinity();

/// The least time that counts, or infinity.
static double best(ArrayRef<double> Times) {
  double Best = Infinity;
  for (double Time : Times)
    if (Time > 0 && Time < Best) // False for NaN.
      Best = Time;
  return Best;
}

std::optional<double> regret(ArrayRef<double> Subset, ArrayRef<double> All) {
  double BestOfSubset = best(Subset);
  double BestOfAll = best(All);
  if (!std::isfinite(BestOfSubset) || !std::isfinite(BestOfAll))
    return std::nullopt;
  return BestOfSubset / BestOfAll;
}

/// A number below \p Bound, each equally likely. The standard's distributions
/// differ from library to library; this one does not.
static uint64_t drawBelow(std::mt19937_64 &Random, uint64_t Bound) {
  // 2^64 modulo Bound: drawing again below it makes the rest divide evenly.
  uint64_t Reject = (0 - Bound) % Bound;
  for (;;)
    if (uint64_t Draw = Random(); Draw >= Reject)
      return Draw % Bound;
}

/// The best of \p SampleSize times drawn without replacement.
static double bestOfSample(std::vector<double> Times, size_t SampleSize, uint64_t Seed) {
  std::mt19937_64 Random(Seed);
  for (size_t I = 0; I != SampleSize; ++I)
    std::swap(Times[I], Times[I + drawBelow(Random, Times.size() - I)]);
  return best(ArrayRef<double>(Times).take_front(SampleSize));
}

std::optional<double> randomSampleRegret(ArrayRef<double> Times, size_t SampleSize, unsigned Seeds) {
  double BestOfAll = best(Times);
  if (!std::isfinite(BestOfAll) || SampleSize == 0 || Seeds == 0)
    return std::nullopt;
  SampleSize = std::min(SampleSize, Times.size());
  std::vector<double> Regrets;
  for (unsigned Seed = 0; Seed != Seeds; ++Seed)
    Regrets.push_back(bestOfSample(Times.vec(), SampleSize, Seed) / BestOfAll);
  return median(std::move(Regrets));
}

} // namespace gpuprune
