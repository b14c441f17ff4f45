//===- MeasurePhaseTest.cpp - The phase that measures on the GPU ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/MeasurePhase.h"
#include "PhaseTesting.h"
#include "gpuprune/Support/Error.h"

using namespace llvm;
using namespace gpuprune;

using Texts = std::vector<std::string>;

namespace {

std::string messageOf(Error E) { return E ? takeError(std::move(E)).Text : ""; }

/// Answers jobs by their ids.
class FakeRunner : public JobRunner {
public:
  std::map<std::string, protocol::Result> Answers; ///< A job that is none of them is right.
  Texts Ran;
  size_t LostAfter = SIZE_MAX; ///< Jobs; then the runner is lost.

  Error run(NextJob Next, OnResult Take) override {
    while (std::optional<protocol::Job> Job = Next(Ask::Now)) {
      if (Ran.size() == LostAfter)
        return makeError(ErrorKind::Runner, "the runner is lost");
      Ran.push_back(StringRef(Job->Id).split('@').first.str());
      protocol::Result Result = Answers[Ran.back()];
      Result.Id = Job->Id;
      Take(Result);
    }
    return Error::success();
  }
};

class MeasurePhaseTest : public testing::Test {
protected:
  test::PhaseTable Table;
  FakeRunner Gpu;
  MeasurePhase::Outcome Done;
  bool WantsAll = false, ChecksRest = false;

  MeasurePhaseTest() { Table.Report.Measuring.emplace(); }

  static PlannedJob job(std::string Id, std::optional<size_t> Row, bool IsGate = false) {
    PlannedJob Job;
    Job.Work.Id = std::move(Id);
    Job.Row = Row;
    Job.IsGate = IsGate;
    return Job;
  }
  void answer(size_t Row, double Ms) {
    protocol::Result &Result = Gpu.Answers["variant:" + std::to_string(Row)];
    Result.Check = CheckOutcome::Bitwise;
    Result.SamplesMs = {Ms};
    Result.MedianMs = Ms;
  }
  protocol::Result &answerOf(const std::string &Id) { return Gpu.Answers[Id]; }

  Error run() {
    RowChecks Checks = Table.checks();
    BatchChooser Chooser = Table.chooser(WantsAll);
    CheckPhase Checking(Table.Report, &Checks, Chooser, Table.Limit, Table.Shown, {});
    FinalRounds Final{FinalPlan()};
    MeasurePhase Phase(Table.Report, Final,
                       {Checking, Chooser, /*Building=*/nullptr, Table.Limit, Table.Shown, "", WantsAll,
                        ChecksRest, [](ArrayRef<size_t> Batch, FinalRounds &, std::vector<PlannedJob> &Jobs) {
                          for (size_t Row : Batch)
                            Jobs.push_back(job("variant:" + std::to_string(Row) + "@f text", Row));
                          return Error::success();
                        }});
    std::vector<PlannedJob> First;
    First.push_back(job("reference@f -DOTHER=1", std::nullopt));
    First.push_back(job("stock@f", std::nullopt, /*IsGate=*/true));
    return Phase.run(Gpu, std::move(First), Done);
  }
};

} // namespace

TEST_F(MeasurePhaseTest, GatesComeFirstThenReferencesThenWhatTheStrategyWants) {
  answer(0, 1.5);
  EXPECT_EQ(messageOf(run()), "");
  EXPECT_EQ(Gpu.Ran, (Texts{"stock", "reference", "variant:0"}));
  EXPECT_EQ(Table.Report.Variants[0].OnGpu.MedianMs, 1.5);
  EXPECT_EQ(Table.Report.winner(), 0u);
  EXPECT_EQ(Done.Planned, 3u);
  EXPECT_EQ(Done.Missing + Done.NotRun, 0u);
  EXPECT_EQ(Table.Report.Measuring->Jobs, 3u);
}

TEST_F(MeasurePhaseTest, NothingIsLaunchedBehindAGateThatIsWrong) {
  answerOf("stock").Status = protocol::ResultStatus::Wrong;
  EXPECT_EQ(messageOf(run()), "");
  EXPECT_EQ(Gpu.Ran, Texts{"stock"});
  EXPECT_EQ(Done.Missing, 0u) << "none of the others was meant to run";
  EXPECT_EQ(Table.CheckedOnCpu.size(), 3u) << "the table is worth having without times";
  EXPECT_FALSE(Table.Report.winner());
}

TEST_F(MeasurePhaseTest, WhatTheCpuFindsWrongIsNeverLaunched) {
  Table.WrongOnCpu = {0};
  answer(1, 2);
  EXPECT_EQ(messageOf(run()), "");
  EXPECT_EQ(Gpu.Ran, (Texts{"stock", "reference", "variant:1"}));
  EXPECT_EQ(Done.Missing, 0u);
  EXPECT_EQ(Table.Report.winner(), 1u);
}

TEST_F(MeasurePhaseTest, WhatTheGpuFindsWrongLetsInTheNext) {
  answer(0, 1);
  answerOf("variant:0").Status = protocol::ResultStatus::Wrong;
  answer(1, 2);
  EXPECT_EQ(messageOf(run()), "");
  EXPECT_EQ(Gpu.Ran, (Texts{"stock", "reference", "variant:0", "variant:1"}));
  EXPECT_EQ(Table.Report.Variants[0].Status, VariantStatus::Wrong);
  EXPECT_EQ(Table.Report.winner(), 1u);
}

TEST_F(MeasurePhaseTest, AllAreMeasuredOnRequest) {
  WantsAll = true;
  for (size_t Row : {0, 1, 2})
    answer(Row, 3.0 - double(Row));
  EXPECT_EQ(messageOf(run()), "");
  EXPECT_EQ(Gpu.Ran.size(), 5u);
  EXPECT_EQ(Table.Report.winner(), 2u);
}

TEST_F(MeasurePhaseTest, TheRestIsCheckedBesideWhatIsMeasured) {
  ChecksRest = true;
  Table.WrongOnCpu = {2};
  answer(0, 1);
  EXPECT_EQ(messageOf(run()), "");
  EXPECT_EQ(Table.CheckedOnCpu.size(), 3u);
  EXPECT_EQ(Table.Report.Variants[2].Status, VariantStatus::Wrong);
  EXPECT_EQ(Gpu.Ran.size(), 3u) << "and not measured";
}

TEST_F(MeasurePhaseTest, ALostRunnerIsAnErrorAndCountsWhatItLeaves) {
  Gpu.LostAfter = 2;
  EXPECT_EQ(messageOf(run()), "the runner is lost");
  EXPECT_EQ(Done.Missing, 1u);
  EXPECT_EQ(Done.NotRun, 0u);
}

TEST(MeasurePhaseBudget, WhatTheBudgetLeavesNoTimeForIsNotRun) {
  test::PhaseTable Table(/*Seconds=*/0.0);
  Table.Report.Measuring.emplace();
  FakeRunner Gpu;
  BatchChooser Chooser = Table.chooser();
  CheckPhase Checking(Table.Report, nullptr, Chooser, Table.Limit, Table.Shown, {});
  FinalRounds Final{FinalPlan()};
  MeasurePhase Phase(
      Table.Report, Final,
      {Checking, Chooser, nullptr, Table.Limit, Table.Shown, "", false, false,
       [](ArrayRef<size_t>, FinalRounds &, std::vector<PlannedJob> &) { return Error::success(); }});
  std::vector<PlannedJob> First(1);
  First[0].Work.Id = "stock@f";
  First[0].IsGate = true;
  MeasurePhase::Outcome Done;
  EXPECT_EQ(messageOf(Phase.run(Gpu, std::move(First), Done)), "");
  EXPECT_EQ(Gpu.Ran, Texts());
  EXPECT_EQ(Done.NotRun, 1u);
  EXPECT_EQ(Done.Missing, 0u);
}
