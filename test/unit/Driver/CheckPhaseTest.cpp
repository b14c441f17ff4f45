//===- CheckPhaseTest.cpp - The phase that checks on the CPU --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/CheckPhase.h"
#include "PhaseTesting.h"

using namespace gpuprune;

using Indices = std::vector<size_t>;

namespace {

class CheckPhaseTest : public testing::Test {
protected:
  test::PhaseTable Table;

  /// What is measured first.
  Indices runFirst(bool WithRest = false) {
    RowChecks Checks = Table.checks();
    BatchChooser Chooser = Table.chooser();
    return CheckPhase(Table.Report, &Checks, Chooser, Table.Limit, Table.Shown, {}).runFirst(WithRest);
  }
};

} // namespace

TEST_F(CheckPhaseTest, TheParetoSetIsCheckedAndMeasuredFirst) {
  EXPECT_EQ(runFirst(), Indices{0});
  EXPECT_EQ(Table.CheckedOnCpu, Indices{0});
}

TEST_F(CheckPhaseTest, TheNextOnTheSetTakesThePlaceOfAWrongOne) {
  Table.WrongOnCpu = {0};
  EXPECT_EQ(runFirst(), Indices{1});
  EXPECT_EQ(Table.Report.Variants[0].Status, VariantStatus::Wrong);
  EXPECT_EQ(Table.CheckedOnCpu, (Indices{0, 1}));
}

TEST_F(CheckPhaseTest, TheRestIsCheckedOnRequestAndMeasuredByNobody) {
  Table.WrongOnCpu = {2};
  EXPECT_EQ(runFirst(/*WithRest=*/true), Indices{0});
  EXPECT_EQ(Table.CheckedOnCpu, (Indices{0, 1, 2}));
  EXPECT_EQ(Table.Report.Variants[2].Status, VariantStatus::Wrong);
}

TEST_F(CheckPhaseTest, NothingIsRightOfNothingButWrongVariants) {
  Table.WrongOnCpu = {0, 1, 2};
  EXPECT_EQ(runFirst(), Indices());
}

TEST_F(CheckPhaseTest, WithoutChecksOnlyWhatCannotRunIsLeftOut) {
  BatchChooser Chooser = Table.chooser();
  CheckPhase Phase(Table.Report, nullptr, Chooser, Table.Limit, Table.Shown, {CheckMode::Off});
  EXPECT_EQ(Phase.runFirst(/*WithRest=*/true), Indices{0});
  EXPECT_TRUE(Phase.settle(1));
  Table.Report.Variants[1].Status = VariantStatus::Ptxas;
  EXPECT_FALSE(Phase.settle(1));
  EXPECT_EQ(Phase.awaitFirst({1, 2}, std::nullopt), 0u);
}

TEST_F(CheckPhaseTest, WhereNothingIsMeasuredAllAreChecked) {
  Table.WrongOnCpu = {1};
  RowChecks Checks = Table.checks();
  BatchChooser Chooser = Table.chooser();
  CheckPhase(Table.Report, &Checks, Chooser, Table.Limit, Table.Shown, {}).runAll();
  EXPECT_EQ(Table.CheckedOnCpu.size(), 3u);
  EXPECT_EQ(Table.Report.Variants[1].Status, VariantStatus::Wrong);
}

TEST_F(CheckPhaseTest, AModeChoosesTheSizes) {
  EXPECT_EQ(checkDepth(CheckMode::Staged), CheckDepth::Usual);
  EXPECT_EQ(checkDepth(CheckMode::Quick), CheckDepth::Smallest);
  EXPECT_EQ(checkDepth(CheckMode::All), CheckDepth::All);
}
