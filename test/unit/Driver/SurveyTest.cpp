//===- SurveyTest.cpp - What a survey takes from tuning runs --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/Survey.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

static VariantResult row(StringRef Text, VariantStatus Status = VariantStatus::Ok, StringRef Message = "") {
  VariantResult Row;
  Row.Parts = cantFail(parseVariant(Text));
  Row.Status = Status;
  Row.Message = Message.str();
  return Row;
}

static VariantResult timed(StringRef Text, double Ms) {
  VariantResult Row = row(Text);
  Row.OnGpu.Outcome = CheckOutcome::Bitwise;
  Row.OnGpu.MedianMs = Ms;
  Row.OnGpu.BaselineMedianMs = 8;
  return Row;
}

/// Its message names another refusal, which nobody may take for this one's.
static VariantResult refused(StringRef Text, RefusalKind Refusal) {
  VariantResult Row = row(Text, VariantStatus::Refused, "gpu-unroll refused 'k' (TooLarge): text");
  Row.Refusal = Refusal;
  return Row;
}

static SurveyedKernel withSpeedup(std::optional<double> Speedup) {
  SurveyedKernel Kernel;
  Kernel.Speedup = Speedup;
  return Kernel;
}

TEST(Survey, RefusalsAreCounted) {
  TuneReport Report;
  Report.Variants = {refused("gpu-unroll<loop=0>", RefusalKind::Volatile),
                     refused("gpu-unroll<loop=1>", RefusalKind::ShapeNotDivisible),
                     refused("gpu-unroll<loop=2>", RefusalKind::Volatile),
                     row("gpu-unroll<loop=3>"),
                     row("gpu-registers<max=64>"),
                     row("")};
  SurveyedKernel Kernel = surveyOf("k", Report);
  const SurveyCell &Unroll = Kernel.Alone["gpu-unroll"];
  EXPECT_EQ(Unroll.Variants, 4u);
  EXPECT_EQ(Unroll.Applied, 1u);
  EXPECT_EQ(Unroll.Refusals,
            (std::map<RefusalKind, size_t>{{RefusalKind::ShapeNotDivisible, 1}, {RefusalKind::Volatile, 2}}));
  EXPECT_EQ(Unroll.commonRefusal(), RefusalKind::Volatile);
  EXPECT_EQ(Kernel.Alone["gpu-registers"].Applied, 1u);
  EXPECT_EQ(Kernel.All.Variants, 6u);
  EXPECT_TRUE(Kernel.Faults.empty());
}

TEST(Survey, FastestOfEachChoiceCounts) {
  TuneReport Report;
  Report.Variants = {timed("", 8), timed("gpu-registers<max=64>", 4), timed("gpu-registers<max=32>", 2),
                     timed("block=64,1,1 gpu-registers<max=32>", 1)};
  Report.Variants[2].OnGpu.Outcome = CheckOutcome::Wrong;
  SurveyedKernel Kernel = surveyOf("k", Report);
  EXPECT_EQ(Kernel.Alone["gpu-registers"].Speedup, 2.0);
  EXPECT_EQ(Kernel.Alone["gpu-registers"].Best, "gpu-registers<max=64>");
  EXPECT_EQ(Kernel.Speedup, 8.0);
  EXPECT_EQ(Kernel.Winner, "block=64,1,1 gpu-registers<max=32>");
}

TEST(Survey, TellsWhatWasNotCompiled) {
  Survey S;
  S.Choices = {"gpu-unroll"};
  SurveyedKernel &Kernel = S.Kernels.emplace_back();
  Kernel.Name = "k";
  SurveyCell &Unroll = Kernel.Alone["gpu-unroll"];
  Unroll.Variants = 20;
  Unroll.NotCompiled = 4;
  Unroll.Applied = 12;
  Kernel.All.Variants = Kernel.All.NotCompiled = 7;
  std::string Text;
  raw_string_ostream OS(Text);
  printSurvey(OS, S);
  EXPECT_NE(Text.find("     k  12/16+4  not compiled  -\n"), std::string::npos) << Text;
}

TEST(Survey, SourceAsWrittenIsAChoice) {
  TuneReport Report;
  Report.Variants = {timed("gpu-registers<max=64>", 16)};
  SurveyedKernel Kernel = surveyOf("k", Report);
  EXPECT_EQ(Kernel.Alone["gpu-registers"].Speedup, 0.5);
  EXPECT_EQ(Kernel.Speedup, 1.0);
  EXPECT_EQ(Kernel.Winner, std::nullopt);
}

TEST(Survey, FaultsAreListedAndFail) {
  TuneReport Report;
  Report.Variants = {row("", VariantStatus::Wrong, "2 differ"),
                     row("gpu-unroll<loop=0>", VariantStatus::CodeGen),
                     row("block=2,1,1", VariantStatus::Resources), row("block=4,1,1", VariantStatus::Slow)};
  Survey S;
  S.Kernels.push_back(surveyOf("k", Report));
  EXPECT_EQ(S.faults(), 2u);
  EXPECT_EQ(S.Kernels[0].Faults[0].Message, "2 differ");
  EXPECT_EQ(takeError(problemsOf(S)).Kind, ErrorKind::Internal);
  EXPECT_FALSE(problemsOf(Survey()));
}

TEST(Survey, MeansAreGeometricAndOfWhatWasMeasured) {
  Survey S;
  for (std::optional<double> Speedup : {std::optional(8.0), std::optional<double>(), std::optional(2.0),
                                        std::optional(1.0), std::optional(1.0)})
    S.Kernels.push_back(withSpeedup(Speedup));
  SurveySummary Sum = S.summary();
  EXPECT_EQ(Sum.Measured, 4u);
  EXPECT_EQ(Sum.Faster, 2u);
  EXPECT_EQ(Sum.Slower, 0u);
  EXPECT_DOUBLE_EQ(*Sum.Mean, 2.0);
  EXPECT_DOUBLE_EQ(*Sum.MeanWithoutThree, 1.0);
  EXPECT_DOUBLE_EQ(*Sum.Median, std::sqrt(2.0));
  EXPECT_EQ(Survey().summary().Mean, std::nullopt);
  EXPECT_EQ(Survey().summary().Median, std::nullopt);
}

TEST(Survey, KernelsThatWereCutShortAreVisitedAgain) {
  Survey S;
  S.Kernels.resize(4);
  S.Kernels[1].BudgetNote = "3 variants were not measured";
  S.Kernels[2].BudgetNote = "7 variants were not measured";
  S.Kernels[2].Error = "no kernel";
  S.Kernels[3].BudgetNote = "all";
  S.Kernels[3].RunnerFailed = true;
  EXPECT_EQ(cutShort(S), (std::vector<size_t>{1}));
}

TEST(Survey, ALaterVisitNeverLosesWhatWasMeasured) {
  SurveyedKernel Before = withSpeedup(2), Whole = withSpeedup(1.9), Slower = withSpeedup(1.9),
                 Faster = withSpeedup(2.1), Nothing = withSpeedup(std::nullopt);
  Slower.BudgetNote = Faster.BudgetNote = "cut short again";
  EXPECT_EQ(afterVisit(Before, Whole).Speedup, 1.9) << "all of it was measured now";
  EXPECT_EQ(afterVisit(Before, Faster).Speedup, 2.1);
  EXPECT_EQ(afterVisit(Before, Slower).Speedup, 2);
  EXPECT_EQ(afterVisit(Before, Nothing).Speedup, 2);
  SurveyedKernel Failed, Cut;
  Failed.Error = "no time";
  Cut.BudgetNote = "nothing was measured";
  EXPECT_EQ(afterVisit(Nothing, Failed).Error, "no time") << "the first visit";
  EXPECT_EQ(afterVisit(Cut, Failed).Error, "");
}

TEST(Survey, FaultsOfAllVisitsCount) {
  const SurveyFault Fault{"p", VariantStatus::Wrong, "2 differ"};
  SurveyedKernel Fast = withSpeedup(4), Slow = withSpeedup(2);
  Fast.Winner = "p";
  Slow.Winner = "q";
  Fast.BudgetNote = Slow.BudgetNote = "cut short";
  Fast.Alone["p"].Speedup = 4;
  Fast.Alone["p"].Best = "p";
  Slow.Faults = {Fault};
  SurveyedKernel Later = afterVisit(Fast, Slow);
  EXPECT_EQ(Later.Winner, "q") << "what the later visit found to be wrong won in the first one";
  EXPECT_EQ(Later.Faults.size(), 1u);

  SurveyedKernel Again = afterVisit(Slow, Fast);
  EXPECT_EQ(Again.Faults.size(), 1u) << "which the faster visit did not see";
  EXPECT_FALSE(Again.Speedup || Again.Winner || Again.Alone["p"].Speedup);
  EXPECT_EQ(Again.NotMeasured, "what was the fastest, 'p', was found to be faulty in another visit");
  EXPECT_EQ(afterVisit(Again, Slow).Winner, "q");
}
