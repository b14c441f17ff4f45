//===- TuneReportTest.cpp - Winner and regret of a report ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Report/TuneReport.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

namespace {

VariantResult measured(StringRef Text, double Ms) {
  VariantResult R;
  R.Parts = cantFail(parseVariant(Text));
  R.Registers = 32;
  R.OnGpu.Outcome = CheckOutcome::Bitwise;
  R.OnGpu.MedianMs = Ms;
  return R;
}

TuneReport report(std::vector<VariantResult> Rows) {
  TuneReport T;
  T.AuthorDefines = {{"TILE", "16"}, {"PAD", "1"}};
  T.Variants = std::move(Rows);
  return T;
}

} // namespace

TEST(TuneReport, TheFastestRightRowWins) {
  TuneReport T = report({measured("-DTILE=16", 3), measured("-DTILE=8", 2), measured("-DTILE=16 a", 2.5)});
  EXPECT_EQ(T.winner(), 1u);
  EXPECT_EQ(T.winner(/*AuthorOnly=*/true), 2u);
}

TEST(TuneReport, WhatIsNotRightOrNotTimedNeverWins) {
  VariantResult Wrong = measured("w", 1), Unchecked = measured("u", 1), Failed = measured("f", 1),
                Duplicate = measured("d", 1), Untimed = measured("t", 1), Mismatch = measured("m", 1);
  Wrong.Status = VariantStatus::Wrong;
  Mismatch.OnGpu.Outcome = CheckOutcome::Wrong;
  Unchecked.OnGpu.Outcome = CheckOutcome::Skipped;
  Failed.Status = VariantStatus::Fault;
  Duplicate.Twin = {0, TwinKind::Ptx};
  Untimed.OnGpu.MedianMs.reset();
  std::vector<VariantResult> Rows{Wrong, Mismatch, Unchecked, Failed, Duplicate, Untimed};
  for (const VariantResult &Row : Rows)
    EXPECT_FALSE(isMeasured(Row)) << Row.text();
  EXPECT_EQ(report(Rows).winner(), std::nullopt);
  Rows.push_back(measured("slow", 100));
  EXPECT_EQ(report(Rows).winner(), Rows.size() - 1);
}

TEST(TuneReport, ASpillingRowThatIsRightMayWin) {
  VariantResult Spilling = measured("s", 1);
  Spilling.Status = VariantStatus::Spills;
  EXPECT_EQ(report({Spilling, measured("b", 2)}).winner(), 0u);
}

TEST(TuneReport, ADefineThatOnlyBeginsAsTheAuthorsIsAnother) {
  TuneReport T = report({measured("-DTILE=1", 1), measured("-DTILE=16 -DPAD=2", 1), measured("-DPAD=1", 5)});
  EXPECT_EQ(T.winner(/*AuthorOnly=*/true), 2u);
}

TEST(TuneReport, RegretIsOfExhaustiveRunsOnly) {
  TuneReport T = report({measured("a", 4), measured("b", 2), measured("c", 8)});
  T.Variants[0].Pareto = true;
  EXPECT_EQ(T.paretoRegret(), std::nullopt);
  EXPECT_EQ(T.randomRegret(), std::nullopt);
  T.Exhaustive = true;
  EXPECT_EQ(T.paretoRegret(), 2.0);
  ASSERT_TRUE(T.randomRegret());
  EXPECT_EQ(T.paretoCount(), 1u);
  T.Variants[1].Pareto = true;
  EXPECT_EQ(T.paretoRegret(), 1.0);
}

TEST(TuneReport, CountsLeaveDuplicatesAndFailuresOut) {
  TuneReport T = report({measured("a", 1), measured("b", 1), measured("c", 1)});
  T.Variants[1].Twin = {0, TwinKind::Ptx};
  T.Variants[1].Pareto = T.Variants[0].Pareto = true;
  T.Variants[2].Registers.reset();
  EXPECT_EQ(T.distinct(), 1u);
  EXPECT_EQ(T.paretoCount(), 1u);
}
