//===- ResultJoinTest.cpp - Runner results into a report ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ResultJoin.h"
#include "ExpectedTesting.h"
#include "gpuprune/Driver/MeasurePlan.h"

using namespace llvm;
using namespace gpuprune;

namespace {

TuneReport report(std::vector<StringRef> Texts) {
  TuneReport T;
  T.Fingerprint = "feed";
  for (StringRef Text : Texts) {
    T.Variants.emplace_back();
    T.Variants.back().Parts = test::valueOf(parseVariant(Text));
    T.Variants.back().Registers = 32;
  }
  return T;
}

protocol::Result result(std::string Id, protocol::ResultStatus Status = protocol::ResultStatus::Ok) {
  protocol::Result R;
  R.Id = std::move(Id);
  R.Status = Status;
  if (Status != protocol::ResultStatus::Ok) {
    R.Message = "why";
    R.Check = Status == protocol::ResultStatus::Wrong ? CheckOutcome::Wrong : CheckOutcome::Skipped;
    return R;
  }
  R.Check = CheckOutcome::Bitwise;
  R.SamplesMs = {1, 2, 3};
  R.MedianMs = 2;
  R.BaselineMs = {4};
  R.BaselineMedianMs = 4;
  R.Kernels = {{"k", 40, 0, 0, 1024, 7}};
  return R;
}

protocol::Hello gpu(int Major, int Minor) {
  protocol::Hello H;
  H.HasGpu = true;
  H.Device = "GPU";
  H.Major = Major;
  H.Minor = Minor;
  return H;
}

} // namespace

TEST(ResultJoin, AResultFillsItsRow) {
  TuneReport T = report({"a", "b"});
  EXPECT_TRUE(test::valueOf(joinResult(T, result(variantJobId(T, 1)))));
  EXPECT_EQ(T.Variants[1].OnGpu.MedianMs, 2.0);
  EXPECT_EQ(T.Variants[1].OnGpu.DriverBlocksPerSM, 7u);
  EXPECT_EQ(T.Variants[1].OnGpu.SamplesMs.size(), 3u);
  EXPECT_EQ(T.Variants[0].OnGpu.MedianMs, std::nullopt);
  EXPECT_TRUE(test::valueOf(joinResult(T, result(stockJobId(T)))));
  EXPECT_EQ(T.Stock.OnGpu.BaselineMedianMs, 4.0);
}

TEST(ResultJoin, EveryStatusOfTheRunnerIsOneOfARow) {
  using protocol::ResultStatus;
  std::pair<ResultStatus, VariantStatus> Expected[] = {
      {ResultStatus::Ok, VariantStatus::Ok},           {ResultStatus::Slow, VariantStatus::Slow},
      {ResultStatus::Wrong, VariantStatus::Wrong},     {ResultStatus::Load, VariantStatus::Launch},
      {ResultStatus::Launch, VariantStatus::Launch},   {ResultStatus::Fault, VariantStatus::Fault},
      {ResultStatus::Timeout, VariantStatus::Timeout}, {ResultStatus::Reference, VariantStatus::Runner},
      {ResultStatus::Memory, VariantStatus::Runner},   {ResultStatus::Malformed, VariantStatus::Runner},
      {ResultStatus::Error, VariantStatus::Runner}};
  for (auto [Said, Status] : Expected) {
    TuneReport T = report({"a"});
    EXPECT_TRUE(test::valueOf(joinResult(T, result(variantJobId(T, 0), Said))));
    EXPECT_EQ(T.Variants[0].Status, Status) << protocol::resultStatusName(Said).str();
    EXPECT_EQ(T.Variants[0].Message, Status == VariantStatus::Ok ? "" : "why");
  }
}

TEST(ResultJoin, ARightResultDoesNotHideThatTheVariantSpills) {
  TuneReport T = report({"a"});
  T.Variants[0].Status = VariantStatus::Spills;
  T.Variants[0].Message = "8 bytes";
  test::valueOf(joinResult(T, result(variantJobId(T, 0))));
  EXPECT_EQ(T.Variants[0].Status, VariantStatus::Spills);
  EXPECT_EQ(T.Variants[0].Message, "8 bytes");
  test::valueOf(joinResult(T, result(variantJobId(T, 0), protocol::ResultStatus::Fault)));
  EXPECT_EQ(T.Variants[0].Status, VariantStatus::Fault);
}

TEST(ResultJoin, AWrongReferenceMakesItsRowsWrongInAnyOrder) {
  for (bool ReferenceFirst : {true, false}) {
    TuneReport T = report({"-DTILE=1", "-DTILE=16", "-DTILE=1 gpu-a", "-DTILE=16 gpu-a"});
    protocol::Result Wrong = result(referenceJobId(T, "-DTILE=1"), protocol::ResultStatus::Wrong);
    if (ReferenceFirst)
      test::valueOf(joinResult(T, Wrong));
    for (size_t Row = 0; Row < 4; ++Row)
      test::valueOf(joinResult(T, result(variantJobId(T, Row))));
    if (!ReferenceFirst)
      test::valueOf(joinResult(T, Wrong));
    EXPECT_EQ(T.Variants[0].Status, VariantStatus::Wrong);
    EXPECT_EQ(T.Variants[2].Status, VariantStatus::Wrong);
    EXPECT_EQ(T.Variants[1].Status, VariantStatus::Ok);
    EXPECT_EQ(T.Variants[3].Status, VariantStatus::Ok);
    EXPECT_EQ(T.winner(), 1u);
  }
}

TEST(ResultJoin, AReferenceOfNoDefinesIsRefused) {
  TuneReport T = report({"-DTILE=1"});
  protocol::Result Odd = result(referenceJobId(T, "-D=1"), protocol::ResultStatus::Wrong);
  EXPECT_NE(test::inputErrorOf(joinResult(T, Odd).takeError()).find("expected the name of a macro"),
            std::string::npos);
}

TEST(ResultJoin, AReferenceThatCouldNotRunSaysNothingOfItsRows) {
  TuneReport T = report({"", "gpu-a"});
  test::valueOf(joinResult(T, result(referenceJobId(T, ""), protocol::ResultStatus::Timeout)));
  for (const VariantResult &Row : T.Variants)
    EXPECT_EQ(Row.Status, VariantStatus::Runner);
}

TEST(ResultJoin, ResultsOfAnotherRunAreRefusedAndOthersLeftAlone) {
  TuneReport T = report({"a", "b"}), Other = T;
  Other.Fingerprint = "beef";
  for (std::string Id : {stockJobId(Other), referenceJobId(Other, ""), variantJobId(Other, 0),
                         std::string("stock"), std::string("variant:2@feed c")})
    EXPECT_NE(test::inputErrorOf(joinResult(T, result(Id)).takeError()).find("another run"),
              std::string::npos);
  EXPECT_FALSE(test::valueOf(joinResult(T, result("handwritten:x"))));
  EXPECT_FALSE(test::valueOf(joinResult(T, result("variant:-1@feed"))));
  EXPECT_FALSE(test::valueOf(joinResult(T, result(""))));
  EXPECT_EQ(T.winner(), std::nullopt);
}

TEST(ResultJoin, DuplicatesGetTheirTwinsFigures) {
  TuneReport T = report({"a", "b"});
  T.Variants[1].Twin = {0, TwinKind::Ptx};
  test::valueOf(joinResult(T, result(variantJobId(T, 0))));
  finishJoining(T, gpu(9, 0), 0, 3);
  EXPECT_EQ(T.Variants[1].text(), "b");
  EXPECT_EQ(T.Variants[1].Twin, (TwinRow{0, TwinKind::Ptx}));
  EXPECT_EQ(T.Variants[1].OnGpu.MedianMs, 2.0);
  EXPECT_EQ(T.Gpu, "GPU (compute capability 9.0, driver 0)");
  EXPECT_EQ(T.NotMeasured, "");
}

/// "b" is the same machine code as "a", and "c" the same PTX as "b".
static TuneReport withTwins() {
  TuneReport T = report({"c", "b", "a"});
  T.Variants[0].Twin = {1, TwinKind::Ptx};
  T.Variants[1].Twin = {2, TwinKind::MachineCode};
  T.Variants[1].Instr = 100;
  T.Variants[1].OnCpu.Note = "own";
  T.Variants[2].OnCpu.Outcome = CheckOutcome::Bitwise;
  T.Variants[2].Instr = 101;
  return T;
}

TEST(ResultJoin, TwinsByMachineCodeGetWhatTheGpuSaidOnly) {
  TuneReport T = withTwins();
  test::valueOf(joinResult(T, result(variantJobId(T, 2))));
  copyTwins(T);
  for (size_t Row : {0, 1}) {
    const VariantResult &Twin = T.Variants[Row];
    EXPECT_EQ(Twin.OnGpu.MedianMs, 2.0);
    EXPECT_EQ(Twin.OnGpu.Outcome, CheckOutcome::Bitwise);
    EXPECT_EQ(Twin.Instr, 100.0);
    EXPECT_EQ(Twin.OnCpu.Outcome, CheckOutcome::Skipped);
    EXPECT_EQ(Twin.OnCpu.Note, "own");
    EXPECT_EQ(Twin.Status, VariantStatus::Ok);
  }
  EXPECT_EQ(T.Variants[0].Twin, (TwinRow{1, TwinKind::Ptx}));
  EXPECT_EQ(T.winner(), 2u);
}

TEST(ResultJoin, WhatFailsOnTheGpuFailsForAllItsTwins) {
  TuneReport T = withTwins();
  test::valueOf(joinResult(T, result(variantJobId(T, 2), protocol::ResultStatus::Wrong)));
  copyTwins(T);
  EXPECT_EQ(T.Variants[1].Status, VariantStatus::Wrong);
  EXPECT_EQ(T.Variants[1].Message, "the same machine code as 'a': why");
  EXPECT_EQ(T.Variants[0].Status, VariantStatus::Wrong);
}

TEST(ResultJoin, AFailureOfItsOwnStaysATwins) {
  TuneReport T = withTwins();
  T.Variants[1].Status = VariantStatus::Runner;
  T.Variants[1].Message = "own";
  test::valueOf(joinResult(T, result(variantJobId(T, 2), protocol::ResultStatus::Wrong)));
  copyTwins(T);
  EXPECT_EQ(T.Variants[1].Status, VariantStatus::Runner);
  EXPECT_EQ(T.Variants[1].Message, "own");
}

/// What the CPU says is about a variant's own code: the next of the same machine code is judged anew.
TEST(ResultJoin, TwinsOfWhatTheCpuFindsWrongAreJudgedByThemselves) {
  TuneReport T = report({"d", "c", "b", "a"});
  for (size_t Row : {0, 1})
    T.Variants[Row].Twin = {3, TwinKind::MachineCode};
  T.Variants[2].Twin = {3, TwinKind::Ptx}; // Has no code of its own.
  test::valueOf(joinResult(T, result(variantJobId(T, 3))));
  copyTwins(T);
  T.Variants[3].Status = VariantStatus::Wrong;
  T.Variants[3].Message = "on the CPU";
  EXPECT_EQ(releaseTwins(T, 3), 0u);
  EXPECT_EQ(releaseTwins(T, 3), std::nullopt);
  copyTwins(T);
  EXPECT_FALSE(T.Variants[0].isDuplicate());
  EXPECT_EQ(T.Variants[0].Status, VariantStatus::Ok);
  EXPECT_EQ(T.Variants[0].OnGpu.MedianMs, std::nullopt);
  EXPECT_EQ(T.Variants[0].OnGpu.Outcome, CheckOutcome::Skipped);
  EXPECT_EQ(T.Variants[1].Twin->Row, 0u);
  EXPECT_EQ(T.Variants[1].OnGpu.MedianMs, std::nullopt);
  EXPECT_EQ(T.Variants[2].Twin->Row, 3u);
  EXPECT_EQ(T.Variants[2].Status, VariantStatus::Wrong);
  EXPECT_EQ(T.winner(), std::nullopt);
}

TEST(ResultJoin, SaysWhatIsMissing) {
  TuneReport T = report({"a"});
  finishJoining(T, gpu(9, 0), 2, 3);
  EXPECT_EQ(T.NotMeasured, "2 of 3 jobs have no result");
  finishJoining(T, gpu(9, 0), 0, 3);
  EXPECT_EQ(T.NotMeasured, "the search chose none of the variants; the source as written stays");
  T.Variants[0].Status = VariantStatus::Wrong;
  finishJoining(T, gpu(9, 0), 0, 3);
  EXPECT_EQ(T.NotMeasured, "no variant was right and could be timed");
  T.Variants[0].Status = VariantStatus::Skipped;
  finishJoining(T, gpu(9, 0), 0, 3);
  EXPECT_EQ(T.NotMeasured, "the budget was used up before a variant was measured; give more with --budget");
  T.Variants[0].Status = VariantStatus::Ok;
  protocol::Hello None;
  None.Message = "no driver";
  finishJoining(T, None, 3, 3);
  EXPECT_EQ(T.NotMeasured, "no driver");
}

TEST(ResultJoin, CubinsRunOnLaterMinorsOfTheirMajor) {
  EXPECT_EQ(whyNotRunnable(gpu(9, 0), "sm_90"), "");
  EXPECT_EQ(whyNotRunnable(gpu(8, 9), "sm_86"), "");
  EXPECT_EQ(whyNotRunnable(gpu(12, 1), "sm_120"), "");
  EXPECT_NE(whyNotRunnable(gpu(8, 0), "sm_86"), "");
  EXPECT_NE(whyNotRunnable(gpu(10, 0), "sm_90"), "");
  EXPECT_NE(whyNotRunnable(gpu(8, 0), "sm_90").find("use --device sm_80"), std::string::npos);
}
