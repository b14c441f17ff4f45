//===- StrategyTest.cpp - Which variants to measure -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Strategy.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

using Indices = std::vector<size_t>;

static VariantResult row(double Efficiency, double Utilization, VariantStatus Status = VariantStatus::Ok) {
  VariantResult Row;
  Row.Efficiency = Efficiency;
  Row.Utilization = Utilization;
  Row.Status = Status;
  return Row;
}

static std::vector<VariantResult> rows() {
  std::vector<VariantResult> Rows = {
      row(1, 9), row(9, 1), row(1, 1), row(20, 20, VariantStatus::Spills), row(30, 30, VariantStatus::Ptxas),
      row(9, 1)};
  Rows[5].Twin = {1, TwinKind::Ptx};
  return Rows;
}

TEST(Strategy, ExhaustiveAsksOnceForAllThatRun) {
  std::vector<VariantResult> Rows = rows();
  std::unique_ptr<Strategy> S = makeExhaustiveStrategy();
  EXPECT_EQ(S->nextBatch(Rows), (Indices{0, 1, 2, 3}));
  // Even where no time came of it.
  EXPECT_EQ(S->nextBatch(Rows), Indices());
}

TEST(Strategy, ParetoAsksForTheParetoSet) {
  std::vector<VariantResult> Rows = rows();
  std::unique_ptr<Strategy> S = makeParetoStrategy();
  EXPECT_EQ(S->nextBatch(Rows), (Indices{0, 1}));
  EXPECT_EQ(S->nextBatch(Rows), Indices());
}

TEST(Strategy, ParetoAsksForWhatAWrongVariantDominated) {
  std::vector<VariantResult> Rows = {row(5, 5), row(4, 4), row(3, 3)};
  std::unique_ptr<Strategy> S = makeParetoStrategy();
  EXPECT_EQ(S->nextBatch(Rows), (Indices{0}));
  Rows[0].Status = VariantStatus::Wrong;
  EXPECT_EQ(S->nextBatch(Rows), (Indices{1}));
  Rows[1].Status = VariantStatus::Slow; // Right, so what it dominates stays out.
  EXPECT_EQ(S->nextBatch(Rows), Indices());
}

TEST(Strategy, RowsThatAreNotLookedAtKeepNothingOut) {
  std::vector<VariantResult> Rows = {row(5, 5), row(4, 4), row(3, 3)};
  auto NotTheFirst = [](size_t Row) { return Row != 0; };
  EXPECT_EQ(makeParetoStrategy()->nextBatch(Rows, NotTheFirst), (Indices{1}));
  EXPECT_EQ(makeExhaustiveStrategy()->nextBatch(Rows, NotTheFirst), (Indices{1, 2}));
  for (VariantResult &Row : Rows)
    Row.Parts = cantFail(parseVariant("p<f=" + std::to_string(&Row - Rows.data() + 2) + ">"));
  Rows[0].OnGpu.MedianMs = 1;
  std::unique_ptr<Strategy> S = makeSearchStrategy({}, 9);
  EXPECT_EQ(S->nextBatch(Rows, NotTheFirst), (Indices{1, 2})) << "layer by layer";
  EXPECT_EQ(S->nextBatch(Rows, NotTheFirst), Indices()) << "the fastest is not climbed from";
}

static VariantResult named(StringRef Text, double Efficiency, double Utilization) {
  VariantResult Row = row(Efficiency, Utilization);
  Row.Parts = cantFail(parseVariant(Text));
  return Row;
}

TEST(Strategy, ASmallParetoSetIsFilledUpLayerByLayer) {
  std::vector<VariantResult> Rows;
  for (auto [E, U] : {std::pair(2, 2), {5, 5}, {4, 3}, {3, 4}, {1, 1}})
    Rows.push_back(named("p<f=" + std::to_string(Rows.size() + 2) + ">", E, U));
  Rows.push_back(row(9, 9, VariantStatus::Ptxas));
  EXPECT_EQ(makeSearchStrategy({}, 3)->nextBatch(Rows), (Indices{1, 2, 3}));
  EXPECT_EQ(makeSearchStrategy({}, 2)->nextBatch(Rows), (Indices{1, 2}));
  EXPECT_EQ(makeSearchStrategy({}, 99)->nextBatch(Rows), (Indices{1, 2, 3, 0, 4}))
      << "no more than there are";
}

/// Twenty that are equal and one that is not.
static std::vector<VariantResult> cluster() {
  std::vector<VariantResult> Rows;
  for (size_t I = 0; I != 20; ++I)
    Rows.push_back(named("p<f=" + std::to_string(I + 2) + ">,q<g=" + std::to_string(I + 2) + ">", 5, 5));
  Rows.push_back(named("p<f=50>,q<g=50>", 6, 4));
  return Rows;
}

TEST(Strategy, OfAClusterFewStandForAll) {
  std::vector<VariantResult> Rows = cluster();
  StrategyOptions Four{{}, 4};
  std::unique_ptr<Strategy> S = makeParetoStrategy(Four);
  EXPECT_EQ(S->nextBatch(Rows), (Indices{0, 5, 10, 15, 20})) << "spread over it";
  EXPECT_EQ(S->nextBatch(Rows), Indices());
  Rows[5].Status = VariantStatus::Wrong;
  Rows[10].Status = VariantStatus::Slow; // It is right, so it still stands for others.
  EXPECT_EQ(S->nextBatch(Rows), Indices{1}) << "another one in its place";
  EXPECT_EQ(makeParetoStrategy({{}, SIZE_MAX})->nextBatch(Rows).size(), 20u);
}

TEST(Strategy, WhatAClusterLeavesOutComesLast) {
  std::vector<VariantResult> Rows = cluster();
  Rows.push_back(named("p<f=60>,q<g=60>", 1, 1));
  StrategyOptions Four{{}, 4};
  std::unique_ptr<Strategy> S = makeSearchStrategy(Four, 8);
  EXPECT_EQ(S->nextBatch(Rows), (Indices{0, 5, 10, 15, 20, 21, 1, 2})) << "the next layer before it";
  EXPECT_EQ(S->nextBatch(Rows), Indices());
}

TEST(Strategy, TheKernelWithoutPassesIsMeasuredWhateverItsMetrics) {
  std::vector<VariantResult> Rows = {named("", 1, 1), named("block=64,1,1", 1, 2),
                                     named("p<f=2>,q<g=2>", 9, 9), named("p<f=2>", 2, 2),
                                     named("q<g=2>", 2, 3)};
  EXPECT_EQ(makeSearchStrategy({}, 1)->nextBatch(Rows), (Indices{2, 0, 1}));
  EXPECT_EQ(makeSearchStrategy({}, 4)->nextBatch(Rows), (Indices{2, 0, 1, 4}))
      << "one decision, the promising first";
}

TEST(Strategy, TheFastestIsClimbedFrom) {
  std::vector<VariantResult> Rows = {named("p<f=9>", 9, 9), named("p<f=2>,q<g=2>", 1, 1),
                                     named("p<f=2>,q<g=4>", 1, 2), named("p<f=2>,q<g=8>,r<h=2>", 1, 1),
                                     named("p<f=4>,q<g=2>", 1, 1)};
  std::unique_ptr<Strategy> S = makeSearchStrategy({}, 1);
  EXPECT_EQ(S->nextBatch(Rows), (Indices{0}));
  Rows[0].OnGpu.MedianMs = 5;
  EXPECT_EQ(S->nextBatch(Rows), Indices()) << "no neighbour";
  Rows[1].OnGpu.MedianMs = 4;
  EXPECT_EQ(S->nextBatch(Rows), (Indices{2, 4}));
  EXPECT_EQ(S->nextBatch(Rows), Indices());
  Rows[2].OnGpu.MedianMs = 3;
  Rows[4].OnGpu.MedianMs = 6;
  EXPECT_EQ(S->nextBatch(Rows), Indices()) << "its neighbours are measured";
}

TEST(Strategy, WhatIsNearlyAsFastIsClimbedFrom) {
  std::vector<VariantResult> Rows = {named("p<f=2>", 9, 9), named("q<g=2>", 9, 9), named("r<h=2>", 9, 9),
                                     named("p<f=4>", 1, 1), named("q<g=4>", 1, 1), named("r<h=4>", 1, 1)};
  std::unique_ptr<Strategy> S = makeSearchStrategy({}, 1);
  EXPECT_EQ(S->nextBatch(Rows), (Indices{0, 1, 2}));
  Rows[0].OnGpu.MedianMs = 1;
  Rows[1].OnGpu.MedianMs = 1.01;
  Rows[2].OnGpu.MedianMs = 1.03;
  EXPECT_EQ(S->nextBatch(Rows), (Indices{3, 4})) << "two percent, no more";
  Rows[3].OnGpu.MedianMs = 2;
  Rows[4].OnGpu.MedianMs = 2;
  EXPECT_EQ(S->nextBatch(Rows), Indices());
}

TEST(Strategy, WhatIsNearAnotherTextOfTheFastestIsNearIt) {
  std::vector<VariantResult> Rows = {named("p<f=2>", 9, 9), named("p<f=2>,t<u=1>", 9, 9),
                                     named("p<f=2>,q<g=2>,t<u=1>", 1, 1),
                                     named("p<f=2>,q<g=2>,t<u=2>", 1, 1)};
  Rows[0].OnGpu.MedianMs = 1;
  EXPECT_EQ(makeSearchStrategy({}, 1)->nextBatch(Rows), Indices{1}) << "a program of its own";
  Rows[1].Twin = {0, TwinKind::MachineCode};
  EXPECT_EQ(makeSearchStrategy({}, 1)->nextBatch(Rows), Indices{2});
}

TEST(Strategy, ThreeTextsOfOneProgramAreOneBest) {
  std::vector<VariantResult> Rows = {named("p<f=2>", 9, 9), named("p<f=2>,t<u=1>", 9, 9),
                                     named("p<f=2>,t<u=2>", 9, 9), named("q<g=2>", 9, 9),
                                     named("q<g=4>", 1, 1)};
  for (VariantResult &Row : Rows)
    Row.OnGpu.MedianMs = 1;
  Rows[1].Twin = Rows[2].Twin = {0, TwinKind::Ptx};
  Rows[3].OnGpu.MedianMs = 1.01;
  Rows[4].OnGpu.MedianMs.reset();
  EXPECT_EQ(makeSearchStrategy({}, 1)->nextBatch(Rows), Indices{4}) << "the neighbour of another program";
}

TEST(Strategy, OneBestHasFewNeighboursMeasured) {
  std::vector<VariantResult> Rows = {named("p<f=1>", 9, 9)};
  for (int Factor = 2; Factor != 22; ++Factor)
    Rows.push_back(named("p<f=" + std::to_string(Factor) + ">", 1, Factor * 0.1));
  std::unique_ptr<Strategy> S = makeSearchStrategy({}, 1);
  EXPECT_EQ(S->nextBatch(Rows), Indices{0});
  Rows[0].OnGpu.MedianMs = 1;
  EXPECT_EQ(S->nextBatch(Rows), (Indices{20, 19, 18, 17, 16, 15, 14, 13})) << "the promising first";
  EXPECT_EQ(S->nextBatch(Rows), Indices());
}

TEST(Strategy, WhatIsMeasuredAlreadyIsNotAskedFor) {
  std::vector<VariantResult> Rows = rows();
  Rows[1].OnGpu.MedianMs = 3.0;
  EXPECT_EQ(makeExhaustiveStrategy()->nextBatch(Rows), (Indices{0, 2, 3}));
  EXPECT_EQ(makeParetoStrategy()->nextBatch(Rows), (Indices{0}));
}
