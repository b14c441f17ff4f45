//===- SignificanceTest.cpp - Is one variant faster than another? ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Significance.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace gpuprune;

namespace {

/// The two-sided p by going through all signs.
double byEnumeration(const std::vector<double> &Differences) {
  std::vector<double> Sizes, Ranks;
  double Observed = 0, All = 0;
  for (double D : Differences)
    if (D != 0)
      Sizes.push_back(std::abs(D));
  for (double Size : Sizes) {
    double Rank = 0.5;
    for (double Other : Sizes)
      Rank += Other < Size ? 1 : Other == Size ? 0.5 : 0;
    Ranks.push_back(Rank);
    All += Rank;
  }
  size_t I = 0;
  for (double D : Differences)
    if (D != 0)
      Observed += D > 0 ? Ranks[I++] : (++I, 0);
  double Lower = std::min(Observed, All - Observed);
  uint64_t AsFar = 0, Total = uint64_t(1) << Ranks.size();
  for (uint64_t Signs = 0; Signs != Total; ++Signs) {
    double Sum = 0;
    for (size_t J = 0; J != Ranks.size(); ++J)
      Sum += Signs >> J & 1 ? Ranks[J] : 0;
    AsFar += Sum <= Lower;
  }
  return std::min(1.0, 2.0 * AsFar / Total);
}

TEST(Significance, TextbookExample) {
  // Hollander and Wolfe 1973, page 29: sum of positive ranks 40 of nine pairs, one-sided p = 0.0195.
  std::vector<double> X = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
  std::vector<double> Y = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
  std::vector<double> Differences;
  for (size_t I = 0; I != X.size(); ++I)
    Differences.push_back(X[I] - Y[I]);
  EXPECT_DOUBLE_EQ(signedRankP(Differences), 2 * 10.0 / 512);
}

TEST(Significance, SmallestPossibleP) {
  for (unsigned N = 1; N != 30; ++N) {
    std::vector<double> Differences;
    for (unsigned I = 1; I <= N; ++I)
      Differences.push_back(I);
    EXPECT_DOUBLE_EQ(signedRankP(Differences), 2 * std::pow(0.5, N)) << N;
  }
}

TEST(Significance, ExactWithTiesAndZeros) {
  std::mt19937 Random(1);
  for (unsigned Case = 0; Case != 60; ++Case) {
    std::vector<double> Differences;
    for (unsigned I = 0; I != 3 + Case % 9; ++I)
      Differences.push_back(int(Random() % 9) - 3);
    EXPECT_NEAR(signedRankP(Differences), byEnumeration(Differences), 1e-12) << Case;
  }
  EXPECT_EQ(signedRankP({}), 1);
  EXPECT_EQ(signedRankP({0, 0, 0}), 1);
}

TEST(Significance, ApproximationContinuesTheExactP) {
  auto At = [](unsigned N) {
    std::vector<double> Differences;
    for (unsigned I = 1; I <= N; ++I)
      Differences.push_back(I % 5 < 2 ? -double(I) : double(I));
    return signedRankP(Differences);
  };
  // 100 is exact, 105 is not; both have two of five negative.
  EXPECT_NEAR(At(105) / At(100), At(100) / At(95), 0.02);
}

TEST(Significance, RatioAndInterval) {
  std::vector<double> A, B;
  for (unsigned I = 0; I != 21; ++I) {
    B.push_back(1 + 0.001 * (I * 7 % 11)); // Noise that both share, as a clock that wanders.
    A.push_back(B.back() * 1.05);
  }
  std::optional<RatioEstimate> Estimate = compareRounds(A, B);
  ASSERT_TRUE(Estimate);
  EXPECT_NEAR(Estimate->Ratio, 1.05, 1e-9);
  EXPECT_NEAR(Estimate->Low, 1.05, 1e-9);
  EXPECT_NEAR(Estimate->High, 1.05, 1e-9);
  EXPECT_LT(Estimate->P, 1e-3);
}

TEST(Significance, IntervalOfSixRoundsIsAllOfThem) {
  // 1 - 2 / 64 is the widest there is: from the least to the largest ratio.
  std::optional<RatioEstimate> Estimate = compareRounds({1.1, 1.2, 1.3, 1.4, 1.5, 1.6}, {1, 1, 1, 1, 1, 1});
  ASSERT_TRUE(Estimate);
  EXPECT_NEAR(Estimate->Low, 1.1, 1e-12);
  EXPECT_NEAR(Estimate->High, 1.6, 1e-12);
  EXPECT_DOUBLE_EQ(Estimate->P, 2.0 / 64);
  EXPECT_NEAR(Estimate->farthestFromOne(), 0.6, 1e-12);
}

TEST(Significance, SwappedSidesAreTheInverse) {
  std::vector<double> A = {3.1, 2.9, 3.3, 3.0, 3.2, 2.8, 3.4, 3.05},
                      B = {3.0, 3.0, 3.1, 3.0, 3.1, 2.9, 3.1, 3.0};
  std::optional<RatioEstimate> One = compareRounds(A, B), Other = compareRounds(B, A);
  ASSERT_TRUE(One && Other);
  EXPECT_NEAR(One->Ratio * Other->Ratio, 1, 1e-12);
  EXPECT_NEAR(One->Low * Other->High, 1, 1e-12);
  EXPECT_DOUBLE_EQ(One->P, Other->P);
}

TEST(Significance, IntervalHoldsTheTruthAsOftenAsItSays) {
  std::mt19937_64 Random(7);
  unsigned Missed = 0, Rejected = 0;
  for (unsigned Run = 0; Run != 2000; ++Run) {
    std::vector<double> A, B;
    for (unsigned I = 0; I != 15; ++I) {
      A.push_back(1 + 1e-3 * double(Random() % 100000) / 100000);
      B.push_back(1 + 1e-3 * double(Random() % 100000) / 100000);
    }
    std::optional<RatioEstimate> Estimate = compareRounds(A, B);
    ASSERT_TRUE(Estimate);
    Missed += Estimate->Low > 1 || Estimate->High < 1;
    Rejected += Estimate->P < SignificanceLevel;
  }
  EXPECT_NEAR(Missed, 100, 35);
  EXPECT_NEAR(Rejected, 100, 35);
}

TEST(Significance, WhatIsNoPairOfTimesIsNotCompared) {
  std::vector<double> Six(6, 1.0);
  EXPECT_TRUE(compareRounds(Six, Six));
  EXPECT_FALSE(compareRounds({1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}));
  EXPECT_FALSE(compareRounds(Six, std::vector<double>(7, 1.0)));
  EXPECT_FALSE(compareRounds(Six, {1, 1, 1, 1, 1, 0}));
  EXPECT_FALSE(compareRounds(Six, {1, 1, 1, 1, 1, NAN}));
}

TEST(Significance, HolmsAdjustment) {
  EXPECT_EQ(adjustByHolm({0.01, 0.04, 0.03, 0.005}), (std::vector<double>{0.03, 0.06, 0.06, 0.02}));
  EXPECT_EQ(adjustByHolm({0.9, 0.8}), (std::vector<double>{1, 1}));
  EXPECT_TRUE(adjustByHolm({}).empty());
}

TEST(Significance, MedianDeviation) {
  EXPECT_EQ(medianDeviation({1, 1, 2, 2, 4, 6, 9}), 1);
  EXPECT_EQ(medianDeviation({5}), 0);
  EXPECT_EQ(medianDeviation({}), std::nullopt);
}

} // namespace
