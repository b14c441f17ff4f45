//===- ModelChoiceTest.cpp - A variant chosen without a timing -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/ModelChoice.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

static ModelledRow modelled(double Ms) { return {Ms, Ms, ModelTerm::L1, false, ""}; }

static std::vector<VariantResult> rows(ArrayRef<double> Times) {
  std::vector<VariantResult> Rows;
  for (double Ms : Times)
    Rows.emplace_back().Modelled = modelled(Ms);
  return Rows;
}

TEST(ModelChoice, TheFastestIsChosen) { EXPECT_EQ(chooseByModel(rows({3, 1, 2}), modelled(4)).row(), 1u); }

TEST(ModelChoice, OfEqualOnesThatWithFewerPasses) {
  std::vector<VariantResult> Rows = rows({1, 1, 1});
  Rows[0].Parts = cantFail(parseVariant("p<f=2>,q<f=2>"));
  Rows[1].Parts = Rows[2].Parts = cantFail(parseVariant("p<f=2>"));
  EXPECT_EQ(chooseByModel(Rows, modelled(4)).row(), 1u);
}

TEST(ModelChoice, WhatCannotRunOrMustNotWinIsPassedOver) {
  std::vector<VariantResult> Rows = rows({1, 2, 3, 4, 5});
  Rows[0].Status = VariantStatus::Wrong;
  Rows[1].Twin = {4, TwinKind::Ptx};
  Rows[2].NoWin = "reads what nobody wrote";
  EXPECT_EQ(chooseByModel(Rows, modelled(9)).row(), 3u);
}

TEST(ModelChoice, AnEstimateMayBeChosen) {
  std::vector<VariantResult> Rows = rows({1, 2});
  Rows[0].Modelled.IsEstimated = true;
  EXPECT_EQ(chooseByModel(Rows, modelled(4)).row(), 0u);
}

TEST(ModelChoice, ASmallGainKeepsTheSourceAsWritten) {
  EXPECT_EQ(chooseByModel(rows({1}), modelled(LeastModelledGain)).row(), 0u);
  ModelChoice Kept = chooseByModel(rows({1}), modelled(1.049));
  EXPECT_EQ(Kept.row(), std::nullopt);
  EXPECT_EQ(Kept.Fastest, 0u);
  EXPECT_EQ(Kept.WhyAsWritten, "no variant that may win is modelled at least 5 % faster");
}

TEST(ModelChoice, WithoutATimeOfTheSourceAsWrittenItIsKept) {
  ModelChoice Kept = chooseByModel(rows({1}), {std::nullopt, std::nullopt, std::nullopt, false, "no loops"});
  EXPECT_EQ(Kept.row(), std::nullopt);
  EXPECT_EQ(Kept.WhyAsWritten, "it has no modelled time that others could be compared with: no loops");
}

TEST(ModelChoice, WithoutAnyTimeTheSourceAsWrittenIsKept) {
  std::vector<VariantResult> Rows(2);
  ModelChoice Kept = chooseByModel(Rows, modelled(1));
  EXPECT_EQ(Kept.Fastest, std::nullopt);
  EXPECT_EQ(Kept.WhyAsWritten, "no variant that is right has a modelled time");
}
