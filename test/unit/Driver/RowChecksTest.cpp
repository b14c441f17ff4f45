//===- RowChecksTest.cpp - What the CPU finds of a run's rows ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/RowChecks.h"
#include "ExpectedTesting.h"
#include <future>
#include <mutex>
#include <set>

using namespace llvm;
using namespace gpuprune;

using Indices = std::vector<size_t>;

namespace {

class RowChecksTest : public testing::Test {
protected:
  TuneReport Report;
  std::vector<BuiltVariant> Variants;
  BuiltVariant Reference{Variant()};
  std::set<std::string> Wrong; ///< Texts that the check finds wrong.
  std::promise<void> Began;    ///< The check of the first row, where there is a gate.
  std::mutex Lock;
  std::vector<std::string> Checked; ///< In their order.

  /// Metrics: the later, the better.
  RowChecksTest() {
    for (const char *Text : {"gpu-registers<max=32>", "gpu-registers<max=64>", "gpu-registers<max=128>"}) {
      BuiltVariant &V = Variants.emplace_back(test::valueOf(parseVariant(Text)));
      V.Row.Efficiency = V.Row.Utilization = double(Variants.size());
    }
  }
  void beTwins(size_t Row, size_t Of) { Variants[Row].Row.Twin = {Of, TwinKind::MachineCode}; }
  std::string text(size_t Row) const { return Variants[Row].Row.text(); }
  const VariantResult &row(size_t Row) const { return Report.Variants[Row]; }

  RowChecks checks(std::shared_future<void> Gate = {}, size_t WithoutReference = SIZE_MAX) {
    for (const BuiltVariant &V : Variants)
      Report.Variants.push_back(V.Row);
    markPareto(Report.Variants);
    return RowChecks(
        Report, Variants,
        [this, Gate](const BuiltVariant &V, const BuiltVariant &, CheckDepth, VariantResult &Row) {
          if (Gate.valid() && V.Row.text() == text(0)) {
            Began.set_value();
            Gate.wait();
          }
          std::lock_guard<std::mutex> Guard(Lock);
          Checked.push_back(V.Row.text());
          bool IsWrong = Wrong.contains(V.Row.text());
          Row.OnCpu.Outcome = IsWrong ? CheckOutcome::Wrong : CheckOutcome::Bitwise;
          if (IsWrong)
            Row.Status = VariantStatus::Wrong;
        },
        [=, this](const BuiltVariant &V) {
          return &V - Variants.data() == ptrdiff_t(WithoutReference) ? nullptr : &Reference;
        },
        {CheckDepth::Usual, /*Jobs=*/1, /*Behind=*/false, {}}, nullptr);
  }
};

} // namespace

TEST_F(RowChecksTest, AFindingIsWrittenDownWhenItsRowIsSettled) {
  Wrong = {text(1)};
  RowChecks Checks = checks();
  Checks.begin({0, 1}, CheckDepth::Usual);
  EXPECT_TRUE(Checks.settle(0));
  EXPECT_EQ(row(0).OnCpu.Outcome, CheckOutcome::Bitwise);
  EXPECT_FALSE(Checks.settle(1));
  EXPECT_EQ(row(1).Status, VariantStatus::Wrong);
  EXPECT_TRUE(Checks.settle(2)) << "nobody asked";
  EXPECT_EQ(row(2).OnCpu.Outcome, CheckOutcome::Skipped);
}

TEST_F(RowChecksTest, TheParetoSetIsWithoutWhatIsWrong) {
  Wrong = {text(2)};
  RowChecks Checks = checks();
  EXPECT_TRUE(row(2).Pareto);
  Checks.begin({2}, CheckDepth::Usual);
  Checks.settleAll();
  EXPECT_FALSE(row(2).Pareto);
  EXPECT_TRUE(row(1).Pareto);
}

TEST_F(RowChecksTest, TwinsOfAWrongOneAreCheckedUntilOneIsRight) {
  beTwins(1, 0);
  beTwins(2, 0);
  Wrong = {text(0), text(1)};
  RowChecks Checks = checks();
  Checks.begin({0}, CheckDepth::Usual);
  EXPECT_FALSE(Checks.settle(0));
  EXPECT_EQ(row(1).Status, VariantStatus::Wrong);
  EXPECT_EQ(row(2).OnCpu.Outcome, CheckOutcome::Bitwise);
  EXPECT_FALSE(row(2).isDuplicate()) << "it stands for itself";
  EXPECT_EQ(Checked, (std::vector<std::string>{text(0), text(1), text(2)}));
}

TEST_F(RowChecksTest, ARightOneAnswersForItsTwins) {
  beTwins(1, 0);
  RowChecks Checks = checks();
  EXPECT_EQ(Checks.beginRest(CheckDepth::Smallest), (Indices{0, 2})) << "the distinct ones";
  Checks.settleAll();
  EXPECT_EQ(Checked.size(), 2u);
  EXPECT_TRUE(row(1).isDuplicate());
  EXPECT_TRUE(Checks.beginRest(CheckDepth::Smallest).empty());
}

TEST_F(RowChecksTest, WhatIsNotKnownInTimeMayNotBeMeasured) {
  std::promise<void> Open;
  RowChecks Checks = checks(Open.get_future().share());
  Checks.begin({0, 1}, CheckDepth::Usual);
  Began.get_future().wait();
  EXPECT_FALSE(Checks.settle(0, CheckQueue::Clock::now()));
  EXPECT_EQ(row(0).Status, VariantStatus::Ok) << "nor is it wrong";
  EXPECT_FALSE(Checks.settleDone());
  Checks.drop(); // What waits behind the one that runs.
  Open.set_value();
  EXPECT_FALSE(Checks.settle(1));
  EXPECT_TRUE(Checks.settle(0));
  EXPECT_TRUE(Checks.settleDone());
}

TEST_F(RowChecksTest, WithoutAReferenceThereIsNoCheck) {
  RowChecks Checks = checks({}, /*WithoutReference=*/0);
  Checks.begin({0, 1}, CheckDepth::Usual);
  EXPECT_FALSE(Checks.has(0));
  EXPECT_TRUE(Checks.has(1));
}
