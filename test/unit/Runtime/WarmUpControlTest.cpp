//===- WarmUpControlTest.cpp - When a program is warm ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WarmUpControl.h"
#include "gtest/gtest.h"

using namespace gpuprune;
using gpuprune::protocol::Measure;
using gpuprune::protocol::WarmUp;

namespace {

/// Feeds \p Times until the control is done; the last one again and again.
WarmUpControl feed(const Measure &M, const std::vector<double> &Times) {
  WarmUpControl Control(M);
  for (size_t I = 0; !Control.done() && I != 100000; ++I)
    Control.add(Times[std::min(I, Times.size() - 1)]);
  EXPECT_TRUE(Control.done());
  return Control;
}

TEST(WarmUpControl, GoesOnUntilThreeTimingsAgree) {
  Measure M;
  EXPECT_EQ(feed(M, {8, 4, 2, 1, 1, 1}).result(), (WarmUp{6, 17, true}));
  EXPECT_EQ(feed(M, {1, 1, 1}).result(), (WarmUp{3, 3, true}));
  // Within 2 %, and not within.
  EXPECT_EQ(feed(M, {1.00, 1.019, 1.01}).result().Runs, 3u);
  EXPECT_EQ(feed(M, {1.00, 1.03, 1.02, 1.02}).result().Runs, 4u);
}

TEST(WarmUpControl, EndsAtTheCapAndSaysSo) {
  Measure M;
  M.MaxWarmupMs = 10;
  std::vector<double> Noisy;
  for (int I = 0; I != 100; ++I)
    Noisy.push_back(I % 2 + 1);
  EXPECT_EQ(feed(M, Noisy).result(), (WarmUp{7, 10, false}));
  // Runs of no time at all end, too.
  WarmUp Many = feed(M, {0.0}).result();
  EXPECT_EQ(Many.Runs, 3u);
}

TEST(WarmUpControl, LongRunsAreNotRepeatedForAgreementsSake) {
  Measure M;
  EXPECT_EQ(feed(M, {900, 900}).result(), (WarmUp{2, 1800, true}));
  EXPECT_EQ(feed(M, {900, 700}).result(), (WarmUp{2, 1600, false}));
  M.Warmup = 1;
  EXPECT_EQ(feed(M, {900}).result(), (WarmUp{1, 900, false}));
}

TEST(WarmUpControl, WithoutAToleranceItMakesTheRunsItIsTold) {
  Measure M;
  M.StableWithin = 0;
  M.Warmup = 4;
  EXPECT_EQ(feed(M, {4, 3, 2, 1}).result(), (WarmUp{4, 10, true}));
  M.Warmup = 0;
  EXPECT_EQ(feed(M, {4}).result().Runs, 1u);
}

TEST(WarmUpControl, SamplesGrowUntilTheyLastLongEnough) {
  Measure M;
  M.MinSampleMs = 1;
  // A single run is timed with what a launch costs; in a row they take less.
  WarmUpControl Control = feed(M, {0.010, 0.010, 0.002, 0.002, 0.002, 0.002});
  EXPECT_EQ(Control.batch(), 500u);
  EXPECT_EQ(Control.result().Runs, 2u + 100 + 3 * 500);
  EXPECT_TRUE(Control.result().Stable);
  M.FlushL2 = true;
  EXPECT_EQ(feed(M, {0.010}).batch(), 1u);
}

TEST(WarmUpControl, AFirstShortRunIsNotJudged) {
  Measure M;
  WarmUpControl Short(M);
  Short.add(50);
  EXPECT_FALSE(Short.canJudge());
  Short.add(2);
  EXPECT_TRUE(Short.canJudge());
  EXPECT_EQ(Short.fastestMs(), 2);
  WarmUpControl Long(M);
  Long.add(5000);
  EXPECT_TRUE(Long.canJudge());
}

} // namespace
