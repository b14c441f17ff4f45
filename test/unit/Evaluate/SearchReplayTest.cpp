//===- SearchReplayTest.cpp - What a search would have found -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MadeUpRows.h"
#include "gpuprune/Search/Strategy.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

/// The better the metrics, the longer it takes.
static std::vector<VariantResult> misleading() {
  std::vector<VariantResult> Rows;
  for (unsigned I = 1; I <= 4; ++I)
    Rows.push_back(measured(formatv("gpu-unroll<loop=0;factor={0}>", I).str(), 100.0 * I, I * I, 10.0 - I));
  return Rows;
}

TEST(SearchReplay, ParetoMeasuresTheSetAlone) {
  std::unique_ptr<Strategy> Search = makeParetoStrategy();
  Replayed Found = replaySearch(*Search, misleading());
  EXPECT_EQ(Found.Measured, 1u);
  EXPECT_EQ(Found.MeasuredMs, 9);
  EXPECT_EQ(Found.BestMs, 9);
  EXPECT_EQ(Found.Until3, 0u);
}

TEST(SearchReplay, ExhaustiveMeasuresAll) {
  std::unique_ptr<Strategy> Search = makeExhaustiveStrategy();
  Replayed Found = replaySearch(*Search, misleading());
  EXPECT_EQ(Found.Measured, 4u);
  EXPECT_EQ(Found.MeasuredMs, 9 + 8 + 7 + 6);
  EXPECT_EQ(Found.BestMs, 6);
  EXPECT_EQ(Found.Until3, 4u);
  EXPECT_EQ(Found.Until1, 4u);
  EXPECT_EQ(Found.BestAfter, (std::vector<std::optional<double>>{9, 8, 7, 6}));
}

TEST(SearchReplay, BesideBuildingASearchSeesNoMoreThanIsBuilt) {
  auto Beside = [](ArrayRef<std::vector<size_t>> Portions) {
    return replayBeside(*makeParetoStrategy(), *makeExhaustiveStrategy(), misleading(), Portions);
  };
  Replayed Found = Beside({{3, 2}, {1, 0}});
  EXPECT_EQ(Found.BestAfter, (std::vector<std::optional<double>>{7, 7, 7, 6}))
      << "what looks best of each, then all";
  EXPECT_EQ(Beside({{0, 1}}).Measured, 2u);
  EXPECT_EQ(Beside({}).BestMs, std::nullopt);
}

TEST(SearchReplay, WhatHasNoTimeFindsNothing) {
  std::vector<VariantResult> Rows = misleading();
  for (VariantResult &Row : Rows)
    Row.OnGpu.MedianMs.reset();
  std::unique_ptr<Strategy> Search = makeExhaustiveStrategy();
  Replayed Found = replaySearch(*Search, Rows);
  EXPECT_EQ(Found.BestMs, std::nullopt);
  EXPECT_EQ(Found.BestAfter, std::vector<std::optional<double>>(4));
  EXPECT_EQ(bestTime(Rows), std::nullopt);
}

TEST(SearchReplay, TheModelsChoiceIsNotMeasured) {
  std::vector<VariantResult> Rows = misleading();
  VariantResult Stock = measured("", 100, 10, 50);
  Stock.Modelled.Ms = 10;
  Rows[1].Modelled.Ms = 5;
  Rows[2].Modelled.Ms = 6;
  Replayed Found = replayModelChoice(Rows, Stock);
  EXPECT_EQ(Found.Measured, 0u);
  EXPECT_EQ(Found.BestMs, 8);
  Rows[1].Modelled.Ms = Rows[2].Modelled.Ms = 9.9; // Not worth a change.
  EXPECT_EQ(replayModelChoice(Rows, Stock).BestMs, 50);
}
