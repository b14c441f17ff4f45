//===- FinalReportTest.cpp - FinalWinner of the final rounds -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReportTiming.h"
#include "ResultJoin.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

namespace {

VariantResult measured(StringRef Text, double Ms) {
  VariantResult R;
  R.Parts = cantFail(parseVariant(Text));
  R.OnGpu.Outcome = CheckOutcome::Bitwise;
  R.OnGpu.MedianMs = Ms;
  R.OnGpu.BaselineMedianMs = 16;
  return R;
}

/// Twenty-one times around \p Ms that wander as all do, with noise of \p Noise of their own.
std::vector<double> around(double Ms, double Noise = 0, unsigned Seed = 1) {
  std::vector<double> Times;
  for (unsigned Round = 0; Round != 21; ++Round) {
    unsigned Own = (Round * 7 + Seed * 13 + Round * Round * Seed) % 11;
    Times.push_back(Ms * (1 + 0.02 * (Round % 5)) * (1 + Noise * (Own / 5.0 - 1)));
  }
  return Times;
}

class FinalWinner : public ::testing::Test {
protected:
  TuneReport Report;
  FinalWinner() {
    Report.AuthorDefines = {{"TILE", "16"}};
    Report.Device = "sm_90";
    Report.Fingerprint = "f";
    Report.Final.StockMs = around(16);
  }
  void add(StringRef Variant, double JobMs, std::vector<double> FinalMs) {
    Report.Final.Entries.push_back({Report.Variants.size(), std::move(FinalMs), true});
    Report.Variants.push_back(measured(Variant, JobMs));
    if (Report.Final.ControlMs.empty())
      Report.Final.ControlMs = Report.Final.Entries[0].SamplesMs;
  }
  std::string text() {
    std::string Text;
    raw_string_ostream OS(Text);
    printFinal(OS, Report);
    return Text;
  }
};

TEST_F(FinalWinner, TheFinalDecidesNotTheJobs) {
  add("a", 1.00, around(1.01));
  add("b", 1.01, around(1.00));
  EXPECT_EQ(Report.winner(), 1u);
  EXPECT_EQ(Report.timesOf(1).VariantMs, 1.04);
  EXPECT_EQ(Report.timesOf(1).StockMs, 16 * 1.04);
  EXPECT_NE(text().find("the best of all is faster than each other finalist (p<0.05)"), std::string::npos)
      << text();
}

TEST_F(FinalWinner, WhatCannotBeToldApartIsSaidAndTheSimplerOneWins) {
  add("-DTILE=32 a,b", 1, around(1, 0.01, 1));
  add("-DTILE=16 a,b", 1, around(1, 0.01, 2));
  add("-DTILE=16 a", 1, around(1, 0.01, 3));
  ASSERT_EQ(compareAll(Report.Final).size(), 3u);
  ASSERT_TRUE(compareAll(Report.Final)[0][2].isSame());
  // The author's defines first, then fewer passes.
  EXPECT_EQ(Report.winner(), 2u);
  EXPECT_NE(text().find("not distinguishable from the best of all at p="), std::string::npos) << text();
  Report.AuthorDefines = {{"TILE", "32"}};
  EXPECT_EQ(Report.winner(), 0u);
  EXPECT_EQ(Report.winner(/*AuthorOnly=*/true), 0u);
}

TEST_F(FinalWinner, ANoisyRunDoesNotLetASlowVariantWin) {
  // Hardly any two of these can be told apart, but 5 % are more than a tie.
  add("long,text", 1, around(1, 0.5, 1));
  add("a", 1.05, around(1.05, 0.5, 2));
  ASSERT_TRUE(compareAll(Report.Final)[0][1].isSame());
  double Ratio = compareAll(Report.Final)[1][0].Ratio.Ratio;
  EXPECT_EQ(Report.winner(), Ratio > 1.01 ? 0u : 1u);
  EXPECT_GT(Ratio, 1.01);
}

TEST_F(FinalWinner, OnlyRowsThatAreRightCount) {
  add("a", 1, around(1));
  add("b", 2, around(2));
  Report.Variants[0].Status = VariantStatus::Wrong;
  EXPECT_EQ(Report.winner(), 1u);
  Report.Variants[1].Status = VariantStatus::Runner;
  EXPECT_EQ(Report.winner(), std::nullopt);
}

TEST_F(FinalWinner, WithoutFinalistsOfTheAuthorsTheJobsDecide) {
  add("-DTILE=32 a", 1, around(1));
  Report.Variants.push_back(measured("a", 3));
  EXPECT_EQ(Report.winner(), 0u);
  EXPECT_EQ(Report.winner(/*AuthorOnly=*/true), 1u);
  EXPECT_EQ(Report.timesOf(1).VariantMs, 3.0);
  EXPECT_EQ(Report.timesOf(1).StockMs, 16.0);
}

TEST_F(FinalWinner, ComparisonsAreAdjustedForAllPairs) {
  for (unsigned I = 0; I != 4; ++I)
    add(std::string(I + 1, 'a'), 1, around(1 + 0.001 * I, 0.005, I + 1));
  auto Compared = compareAll(Report.Final);
  for (unsigned A = 0; A != 4; ++A)
    for (unsigned B = 0; B != A; ++B) {
      EXPECT_EQ(Compared[A][B].AdjustedP, Compared[B][A].AdjustedP);
      EXPECT_GE(Compared[A][B].AdjustedP, Compared[A][B].Ratio.P);
    }
}

TEST_F(FinalWinner, TheNoiseFloorIsTheFastestAgainstItself) {
  add("a", 1, around(1, 0.004, 1));
  Report.Final.ControlMs = around(1, 0.004, 2);
  std::optional<RatioEstimate> Noise = noiseOf(Report.Final);
  ASSERT_TRUE(Noise);
  EXPECT_LT(Noise->Low, 1);
  EXPECT_GT(Noise->High, 1);
  EXPECT_NE(text().find("noise: the first of these against itself"), std::string::npos);
}

TEST_F(FinalWinner, IsTakenFromTheFinalsResult) {
  add("a", 1, {1});
  add("b", 1, {1});
  protocol::Result R;
  R.Id = finalJobId(Report);
  R.SamplesMs = {1, 2};
  R.BaselineMs = {8, 9};
  R.Rivals = {{variantJobId(Report, 1), {3, 4}, 1, protocol::WarmUp{9, 1, false}},
              {variantJobId(Report, 0), {5, 6}, 1, {}}};
  R.GpuClock = protocol::Clock{1500, 1980, 50, 0, {"heat"}};
  Expected<bool> Joined = joinResult(Report, R);
  ASSERT_TRUE(bool(Joined)) << toString(Joined.takeError());
  FinalReport Wanted{{{1, {3, 4}, false}, {0, {5, 6}, true}}, {1, 2}, {8, 9}, ""};
  EXPECT_EQ(Report.Final, Wanted);
  EXPECT_EQ(Report.GpuClock, R.GpuClock);
  EXPECT_NE(text().find("no test: it needs at least 6 rounds"), std::string::npos) << text();
  // It is written and read back.
  Expected<TuneReport> Back = parseTuneReport(toJSON(Report));
  ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
  EXPECT_EQ(Back->Final, Wanted);
  EXPECT_EQ(Back->GpuClock, R.GpuClock);
}

TEST_F(FinalWinner, AFinalThatFailedOrFitsNotSaysSo) {
  add("a", 1, around(1));
  protocol::Result R;
  R.Id = finalJobId(Report);
  R.Status = protocol::ResultStatus::Timeout;
  R.Message = "no result within 120.0 s";
  cantFail(joinResult(Report, R).takeError());
  EXPECT_TRUE(Report.Final.empty());
  EXPECT_NE(text().find("no final rounds: timeout: no result within 120.0 s"), std::string::npos) << text();
  EXPECT_EQ(Report.winner(), 0u) << "by its job";
  R = protocol::Result();
  R.Id = finalJobId(Report);
  R.SamplesMs = {1};
  for (StringRef Name : {"variant:7@f a", "variant:0@other a", "stock@f", ""}) {
    R.Rivals = {{Name.str(), {1}, 1, {}}};
    cantFail(joinResult(Report, R).takeError());
    EXPECT_NE(Report.Final.Problem.find("not one of this run"), std::string::npos) << Name.str();
  }
  R.Rivals = {{variantJobId(Report, 0), {1, 2}, 1, {}}};
  cantFail(joinResult(Report, R).takeError());
  EXPECT_TRUE(Report.Final.empty()) << "another number of rounds";
}

TEST(ReportTiming, SpreadAndDecimals) {
  EXPECT_EQ(timeCell(std::nullopt, {}), "-");
  EXPECT_EQ(timeCell(3.4451, {3.4451}), "3.445");
  EXPECT_EQ(timeCell(2.0, {1.0, 2.0, 2.5}), "2.000 ±0.500");
  EXPECT_EQ(timeCell(0.00212, {0.00212, 0.00213, 0.00210}), "0.00212 ±0.00001");
}

TEST(ReportTiming, ClockWarnings) {
  auto Text = [](const protocol::Clock &Clock) {
    TuneReport Report;
    Report.noteClock(Clock);
    std::string Text;
    raw_string_ostream OS(Text);
    printClock(OS, Report);
    return Text;
  };
  EXPECT_EQ(Text({1950, 1980, 45, 349600, {}}), "SM clock 1950 to 1980 MHz, up to 45 °C, up to 350 W\n");
  EXPECT_NE(Text({1755, 1980, 0, 0, {}}).find("warning: the SM clock changed by 11.4 %"), std::string::npos);
  EXPECT_NE(Text({1980, 1980, 0, 0, {"power cap", "heat"}}).find("held down by: power cap, heat"),
            std::string::npos);
  TuneReport Report;
  Report.noteClock({1900, 1950, 40, 1, {"heat"}});
  Report.noteClock({1800, 1980, 41, 0, {"heat", "power cap"}});
  EXPECT_EQ(Report.GpuClock, (protocol::Clock{1800, 1980, 41, 1, {"heat", "power cap"}}));
}

} // namespace
