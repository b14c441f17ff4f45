//===- ParetoTest.cpp - The Pareto set ------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Pareto.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <random>

using namespace llvm;
using namespace gpuprune;

using Indices = std::vector<size_t>;

/// By definition: nothing eligible is as good in both and better in one.
static Indices bruteForce(ArrayRef<MetricPoint> Points) {
  auto Counts = [](const MetricPoint &P) {
    return P.Eligible && std::isfinite(P.Efficiency) && std::isfinite(P.Utilization);
  };
  Indices Result;
  for (size_t I = 0; I != Points.size(); ++I) {
    bool Keep = Counts(Points[I]);
    for (size_t J = 0; J != Points.size() && Keep; ++J) {
      const MetricPoint &A = Points[I], &B = Points[J];
      if (!Counts(B))
        continue;
      bool AsGood = B.Efficiency >= A.Efficiency && B.Utilization >= A.Utilization;
      bool Better = B.Efficiency > A.Efficiency || B.Utilization > A.Utilization;
      if (AsGood && Better)
        Keep = false;
    }
    if (Keep)
      Result.push_back(I);
  }
  return Result;
}

TEST(Pareto, SmallExamples) {
  EXPECT_EQ(paretoSet(ArrayRef<MetricPoint>()), Indices());
  MetricPoint Points[] = {{1, 5}, {2, 4}, {2, 3}, {0.5, 6}, {0.5, 5}, {3, 1}};
  EXPECT_EQ(paretoSet(ArrayRef(Points)), (Indices{0, 1, 3, 5}));
}

TEST(Pareto, Ties) {
  MetricPoint Points[] = {{1, 1}, {2, 2}, {2, 2}, {2, 1}};
  EXPECT_EQ(paretoSet(ArrayRef(Points)), (Indices{1, 2}));
}

TEST(Pareto, WhatIsNotFiniteOrNotEligibleDoesNotCount) {
  double Inf = std::numeric_limits<double>::infinity();
  MetricPoint Points[] = {{NAN, 9}, {9, NAN}, {Inf, 9}, {9, 9, false}, {0, 0}, {1, 0}};
  EXPECT_EQ(paretoSet(ArrayRef(Points)), (Indices{5}));
}

TEST(Pareto, EqualsBruteForceOnRandomData) {
  std::mt19937 Random(1);
  for (int Round = 0; Round != 500; ++Round) {
    std::vector<MetricPoint> Points;
    unsigned Range = Round % 2 ? 8 : 1000; // Few values give many ties.
    for (unsigned N = Random() % 60; N; --N)
      Points.push_back(
          {Random() % 20 ? double(Random() % Range) : NAN, double(Random() % Range), Random() % 5 != 0});
    EXPECT_EQ(paretoSet(Points), bruteForce(Points));
  }
}

static VariantResult row(StringRef Text, double Efficiency, double Utilization,
                         VariantStatus Status = VariantStatus::Ok) {
  VariantResult Row;
  Row.Parts = cantFail(parseVariant(Text));
  Row.Efficiency = Efficiency;
  Row.Utilization = Utilization;
  Row.Status = Status;
  return Row;
}

TEST(Pareto, RowsByStatus) {
  std::vector<VariantResult> Rows = {row("a", 1, 1), row("b", 9, 9, VariantStatus::Spills),
                                     row("c", 8, 8, VariantStatus::Wrong), row("d", 2, 0)};
  EXPECT_EQ(paretoSet(ArrayRef<VariantResult>(Rows)), (Indices{0, 3}));
  ParetoOptions WithSpills;
  WithSpills.KeepSpills = true;
  EXPECT_EQ(paretoSet(ArrayRef<VariantResult>(Rows), WithSpills), (Indices{1}));
  Rows[3].Utilization = std::nullopt;
  EXPECT_EQ(paretoSet(ArrayRef<VariantResult>(Rows)), (Indices{0}));
}

TEST(Pareto, AClusterHasTheSameMetricsToAPercent) {
  std::vector<VariantResult> Rows = {row("a", 1, 100), row("b", 2, 50), row("c", 1.001, 100.2),
                                     row("d", 1, 120), row("e", 2, 50)};
  EXPECT_EQ(clustersOf(Rows, {0, 1, 2, 3, 4}), (std::vector<Indices>{{0, 2}, {1, 4}, {3}}));
  EXPECT_EQ(clustersOf(Rows, {4, 0}), (std::vector<Indices>{{4}, {0}}));
  EXPECT_EQ(clustersOf(Rows, {}), std::vector<Indices>());
  Rows[0].Utilization = 0;
  Rows[4].Efficiency = std::nullopt;
  EXPECT_EQ(clustersOf(Rows, {0, 2, 4}), (std::vector<Indices>{{0}, {2}, {4}}));
}

TEST(Pareto, MarkGivesDuplicatesTheirTwinsMark) {
  std::vector<VariantResult> Rows = {row("a", 1, 1), row("b", 2, 2), row("c", 2, 2), row("d", 1, 1)};
  Rows[0].Pareto = true; // From an earlier call.
  Rows[2].Twin = {1, TwinKind::Ptx};
  Rows[3].Twin = {0, TwinKind::Ptx};
  markPareto(Rows);
  EXPECT_FALSE(Rows[0].Pareto);
  EXPECT_TRUE(Rows[1].Pareto);
  EXPECT_TRUE(Rows[2].Pareto);
  EXPECT_FALSE(Rows[3].Pareto);
  EXPECT_EQ(paretoSet(ArrayRef<VariantResult>(Rows)), (Indices{1}));
}

TEST(Pareto, AProgramIsCountedOnceWhateverItsTwinsAre) {
  std::vector<VariantResult> Rows = {row("ptx", 2, 2), row("code", 2, 2), row("best", 2, 2), row("d", 1, 1)};
  Rows[0].Twin = {1, TwinKind::Ptx}; // Which is a twin itself, and follows.
  Rows[1].Twin = {2, TwinKind::MachineCode};
  markPareto(Rows);
  EXPECT_TRUE(Rows[0].Pareto && Rows[1].Pareto && Rows[2].Pareto);
  EXPECT_FALSE(Rows[3].Pareto);
  EXPECT_EQ(paretoSet(ArrayRef<VariantResult>(Rows)), (Indices{2}));
}
