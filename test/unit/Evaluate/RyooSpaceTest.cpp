//===- RyooSpaceTest.cpp - A space, pruned as Ryoo et al. do -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MadeUpRows.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

TEST(RyooSpace, TheExampleOfThePaper) {
  // Section 4: 15150 instructions, 769 regions, 2^24 threads, 256 a block, two blocks an SM.
  VariantResult Row = measured("", 15150, 769, 1);
  Row.Launch.Grid = {256, 256, 1};
  Row.Launch.Block = {16, 16, 1};
  RyooSpace Space = spaceOf("matmul", {Row});
  EXPECT_NEAR(Space.Points[0].Efficiency, 3.93e-12, 0.01e-12);
  EXPECT_NEAR(Space.Points[0].Utilization, 227, 0.5);
}

TEST(RyooSpace, SelectsWhatNothingBeatsInBothMetrics) {
  RyooSpace Space =
      spaceOf("cp", {measured("", 100, 10, 8), measured("gpu-unroll<loop=0;factor=2>", 90, 10, 6),
                     measured("gpu-unroll<loop=0;factor=4>", 80, 4, 5),
                     measured("gpu-unroll<loop=0;factor=8>", 110, 50, 4)});
  EXPECT_EQ(Space.Measured.size(), 4u);
  EXPECT_EQ(Space.Selected, std::vector<size_t>{2});
  EXPECT_EQ(Space.Best, 3u);
  EXPECT_EQ(Space.Worst, 0u);
  EXPECT_EQ(Space.BestSelected, 2u);
  EXPECT_EQ(Space.regret(), 1.25);
  EXPECT_EQ(Space.EvaluationMs, 23);
  EXPECT_EQ(Space.SelectedMs, 5);
}

TEST(RyooSpace, WhatIsWrongOrSpillsIsNotSelected) {
  std::vector<VariantResult> Rows = {measured("", 100, 10, 8),
                                     measured("gpu-unroll<loop=0;factor=2>", 50, 1, 2),
                                     measured("gpu-unroll<loop=0;factor=4>", 40, 1, 1)};
  Rows[1].Status = VariantStatus::Spills;
  Rows[2].OnGpu.Outcome = CheckOutcome::Wrong;
  RyooSpace Space = spaceOf("cp", Rows);
  EXPECT_EQ(Space.Measured, (std::vector<size_t>{0, 1}));
  EXPECT_EQ(Space.Selected, std::vector<size_t>{0});
  EXPECT_EQ(Space.Best, 1u);
}

TEST(RyooSpace, ALaunchWithAPartOfTheWorkStandsForAll) {
  std::vector<VariantResult> Rows = {measured("-DSAMPLES=2048", 1000, 10, 8),
                                     measured("-DSAMPLES=512", 251, 2.5, 1.9)};
  Rows[1].NoWin = "another result";
  RyooSpace Space = spaceOf("mri-fhd", Rows);
  EXPECT_EQ(Space.Best, 1u);
  EXPECT_DOUBLE_EQ(Space.timeOf(1), 7.6);
  EXPECT_DOUBLE_EQ(Space.Points[1].Efficiency, 1 / (1004.0 * 64 * 64));
  EXPECT_DOUBLE_EQ(*Space.Rows[1].Efficiency, Space.Points[1].Efficiency);
  EXPECT_DOUBLE_EQ(Space.Points[1].Utilization, *Rows[1].Utilization);
  EXPECT_EQ(Space.Selected, (std::vector<size_t>{0, 1}));
  // Of another application a define is any other.
  EXPECT_EQ(spaceOf("cp", Rows).Measured, std::vector<size_t>{0});
}

TEST(RyooSpace, AnImpossiblePartIsAnError) {
  RecordedKernel Kernel{"mri-fhd", {}, {measured("-DSAMPLES=0", 1, 1, 1)}};
  EXPECT_EQ(inputErrorOf(evaluateSpace(application("mri-fhd"), Kernel).takeError()),
            "'-DSAMPLES=0' does no part of the work");
}

TEST(RyooSpace, NothingMeasuredIsAnError) {
  VariantResult Row = measured("", 1, 1, 1);
  Row.OnGpu.MedianMs.reset();
  EXPECT_EQ(inputErrorOf(evaluateSpace(application("cp"), {"cp", {}, {Row}}).takeError()),
            "cp has no measured variant");
}

TEST(RyooSpace, SpreadWithinClusters) {
  RyooSpace Space =
      spaceOf("cp", {measured("", 100, 10, 10), measured("gpu-unroll<loop=0;factor=2>", 100, 10, 11),
                     measured("gpu-unroll<loop=0;factor=3>", 100, 10, 14), // The optimum's is 10, 11, 14.
                     measured("gpu-unroll<loop=0;factor=4>", 200, 10, 20),
                     measured("gpu-unroll<loop=0;factor=5>", 200, 10, 40),
                     measured("gpu-unroll<loop=0;factor=6>", 400, 10, 90)}); // Alone.
  EXPECT_EQ(Space.Clusters.Clusters, 2u);
  EXPECT_EQ(Space.Clusters.Largest, 3u);
  EXPECT_DOUBLE_EQ(Space.Clusters.LargestSpread, 2);
  EXPECT_DOUBLE_EQ(Space.Clusters.MedianSpread, 1.7);
  EXPECT_EQ(Space.Clusters.OfOptimum, 3u);
  EXPECT_DOUBLE_EQ(Space.Clusters.SlowestOfOptimum, 1.4);
  EXPECT_DOUBLE_EQ(Space.Clusters.MedianOfOptimum, 1.1);
}

TEST(RyooSpace, TheModelIsReplayedWhereItsTimesAreKnown) {
  std::vector<VariantResult> Rows = {measured("", 100, 10, 8),
                                     measured("gpu-unroll<loop=0;factor=2>", 90, 10, 6)};
  EXPECT_EQ(spaceOf("cp", Rows).Searches.size(), 1u);
  Rows[1].Modelled = {6, 6, ModelTerm::L1, false, ""};
  RyooSpace Space = spaceOf("cp", Rows);
  ASSERT_EQ(Space.Searches.size(), 4u);
  EXPECT_EQ(Space.Searches[0].Name, "search");
  EXPECT_EQ(Space.Searches[0].Found.BestMs, 6);
  EXPECT_EQ(Space.Searches[1].Name, "model-guided");
  EXPECT_EQ(Space.Searches[2].Name, "model-pareto");
  EXPECT_EQ(Space.Searches[2].Found.Measured, 1u);
  EXPECT_EQ(Space.Searches[3].Name, "model");
}
