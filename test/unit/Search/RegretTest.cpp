//===- RegretTest.cpp - What not measuring everything costs ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Regret.h"
#include "gtest/gtest.h"
#include <cmath>
#include <vector>

using namespace llvm;
using namespace gpuprune;

TEST(Regret, BestOfSubsetOverBestOfAll) {
  EXPECT_EQ(regret({3.0, 4.0}, {2.0, 3.0, 4.0}), 1.5);
  EXPECT_EQ(regret({2.0}, {2.0, 3.0}), 1.0);
  EXPECT_EQ(regret({NAN, 0.0, -1.0, 3.0}, {2.0, NAN}), 1.5);
  EXPECT_EQ(regret({}, {1.0}), std::nullopt);
  EXPECT_EQ(regret({NAN}, {1.0}), std::nullopt);
  EXPECT_EQ(regret({1.0}, {INFINITY}), std::nullopt);
}

static std::vector<double> hundred() {
  std::vector<double> Times;
  for (int I = 0; I != 100; ++I)
    Times.push_back(100 + (I * 37) % 100);
  return Times;
}

TEST(RandomSampleRegret, TheWholeIsNoSample) {
  EXPECT_EQ(randomSampleRegret(hundred(), 100), 1.0);
  EXPECT_EQ(randomSampleRegret(hundred(), 1000), 1.0);
}

TEST(RandomSampleRegret, OneDrawIsTheMedian) {
  // Times 100 to 199, all equally likely: the median of one draw is near 149.5.
  std::optional<double> Regret = randomSampleRegret(hundred(), 1, 2001);
  ASSERT_TRUE(Regret);
  EXPECT_NEAR(*Regret, 1.495, 0.03);
}

TEST(RandomSampleRegret, MoreDrawsAreBetter) {
  // The best of 9 of 100 has the median 7th of all, about.
  std::optional<double> Regret = randomSampleRegret(hundred(), 9);
  ASSERT_TRUE(Regret);
  EXPECT_GT(*Regret, 1.03);
  EXPECT_LT(*Regret, 1.12);
}

TEST(RandomSampleRegret, TheSameEveryTimeAndNotTheOrderOfTheInput) {
  EXPECT_EQ(randomSampleRegret(hundred(), 5), randomSampleRegret(hundred(), 5));
  EXPECT_EQ(randomSampleRegret({3.0, 1.0, 2.0}, 2, 1), randomSampleRegret({3.0, 1.0, 2.0}, 2, 1));
}

TEST(RandomSampleRegret, DrawsThatDoNotCountLose) {
  std::vector<double> Times(100, NAN);
  Times[3] = 1.0;
  EXPECT_EQ(randomSampleRegret(Times, 1), std::optional<double>(INFINITY));
  EXPECT_EQ(randomSampleRegret(Times, 100), 1.0);
  EXPECT_EQ(randomSampleRegret({NAN}, 1), std::nullopt);
  EXPECT_EQ(randomSampleRegret({}, 1), std::nullopt);
  EXPECT_EQ(randomSampleRegret({1.0}, 0), std::nullopt);
  EXPECT_EQ(randomSampleRegret({1.0}, 1, 0), std::nullopt);
}
