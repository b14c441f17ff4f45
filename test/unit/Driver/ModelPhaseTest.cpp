//===- ModelPhaseTest.cpp - The phase that models times ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/ModelPhase.h"
#include "PhaseTesting.h"
#include "gpuprune/Support/Error.h"

using namespace llvm;
using namespace gpuprune;

namespace {

/// The rows of a test::PhaseTable, assembled, and a model that says 1 ms of the first, 2 of the second, ...,
/// and 9 of the source as written.
class ModelPhaseTest : public testing::Test {
protected:
  test::PhaseTable Table;
  BuiltVariant Stock{Variant(), /*Stock=*/true};
  std::atomic<size_t> Asked = 0;
  std::string KeyOfAll; ///< Of each variant; empty: each is a program of its own.

  ModelPhaseTest() {
    for (BuiltVariant &V : Table.Variants)
      V.Code.emplace();
    Stock.Code.emplace();
  }

  size_t run(const Budget &Limit, unsigned Jobs = 2) {
    auto Model = [this](const BuiltVariant &V) -> Expected<ModelledTime> {
      ++Asked;
      if (V.Index == 1 && !V.Stock)
        return makeError(ErrorKind::Refused, "no answer");
      ModelledTime Time;
      Time.Ms = V.Stock ? 9 : double(V.Index + 1);
      Time.QueuedMs = Time.Ms + 1;
      Time.Bound = ModelTerm::Xu;
      if (V.Index == 2)
        Time.Notes = {"one", "two"};
      Time.IsEstimated = !Time.Notes.empty();
      return Time;
    };
    ModelPhase Phase(Table.Report, Table.Variants, Stock, Limit, Table.Shown,
                     {Jobs, Model, [this](const BuiltVariant &V) { return V.Stock ? "" : KeyOfAll; }});
    return Phase.run({0, 1, 2});
  }
  ModelledRow row(size_t Index) const { return Table.Report.Variants[Index].Modelled; }
};

const Budget NoLimit(std::nullopt, Budget::Then::Modelling);

} // namespace

TEST_F(ModelPhaseTest, EachRowGetsATimeOrAReason) {
  EXPECT_EQ(run(NoLimit), 0u);
  EXPECT_EQ(Table.Report.Stock.Modelled, (ModelledRow{9, 10, ModelTerm::Xu, false, ""}));
  EXPECT_EQ(row(0), (ModelledRow{1, 2, ModelTerm::Xu, false, ""}));
  EXPECT_EQ(row(1), (ModelledRow{std::nullopt, std::nullopt, std::nullopt, false, "no answer"}));
  EXPECT_EQ(row(2), (ModelledRow{3, 4, ModelTerm::Xu, true, "one; two"}));
}

TEST_F(ModelPhaseTest, OneProgramIsModelledOnce) {
  KeyOfAll = "the same";
  for (unsigned Jobs : {1u, 2u}) {
    Asked = 0;
    run(NoLimit, Jobs);
    EXPECT_EQ(Asked, 2u);
    EXPECT_EQ(row(2), row(0));
    EXPECT_EQ(row(1).Ms, 1);
  }
}

TEST_F(ModelPhaseTest, WhatWasModelledBeforeIsKnown) {
  KeyOfAll = "the same";
  auto Model = [this](const BuiltVariant &V) -> Expected<ModelledTime> {
    ++Asked;
    ModelledTime Time;
    Time.Ms = V.Stock ? 9 : double(V.Index + 1);
    return Time;
  };
  ModelPhase Phase(Table.Report, Table.Variants, Stock, NoLimit, Table.Shown,
                   {2, Model, [this](const BuiltVariant &V) { return V.Stock ? "" : KeyOfAll; }});
  Phase.run({1});
  EXPECT_EQ(Asked, 2u) << "with the source as written";
  EXPECT_EQ(row(0).Ms, std::nullopt) << "nobody has asked";
  Phase.run({0, 2});
  EXPECT_EQ(Asked, 2u);
  EXPECT_EQ(row(0).Ms, 2);
  EXPECT_EQ(row(2).Ms, 2);
  EXPECT_EQ(Table.Report.Stock.Modelled.Ms, 9);
}

TEST_F(ModelPhaseTest, WhatCannotRunIsNotModelledAndATwinHasTheTimeOfTheOther) {
  Table.Variants[0].Row.Status = VariantStatus::Resources;
  Table.Variants[1].Row.Twin = Table.Report.Variants[1].Twin = {2, TwinKind::MachineCode};
  run(NoLimit);
  EXPECT_EQ(Asked, 2u);
  EXPECT_EQ(row(0), ModelledRow());
  EXPECT_EQ(row(1).Ms, 3);
}

TEST_F(ModelPhaseTest, WhatIsKnownOfAReferenceChangesNoTime) {
  Table.Report.Variants[0].Status = VariantStatus::Wrong; // Before it was built.
  Table.Report.Variants[2].Status = VariantStatus::Runner;
  run(NoLimit);
  EXPECT_EQ(row(0).Ms, 1);
  EXPECT_EQ(row(2).Ms, 3);
}

TEST_F(ModelPhaseTest, CyclesInPlaceOfTimes) {
  KeyOfAll = "the same";
  std::atomic<size_t> Scheduled = 0;
  auto Schedule = [&](const BuiltVariant &V) -> Expected<ScheduledRow> {
    ++Scheduled;
    if (V.Stock)
      return makeError(ErrorKind::CodeGen, "no code");
    return ScheduledRow{500, "by hand"};
  };
  for (double Seconds : {1e6, 1e-9}) {
    Budget Limit(Seconds, Budget::Then::Modelling);
    ModelPhase Phase(
        Table.Report, Table.Variants, Stock, Limit, Table.Shown,
        {2, nullptr, [this](const BuiltVariant &V) { return V.Stock ? "" : KeyOfAll; }, Schedule});
    EXPECT_EQ(Phase.run({0, 1, 2}), Seconds < 1 ? 3u : 0u);
    EXPECT_EQ(Scheduled, 2u) << "one program once, and none without time";
    EXPECT_EQ(row(0), ModelledRow());
    const ScheduledRow &Second = Table.Report.Variants[1].Scheduled, &Written = Table.Report.Stock.Scheduled;
    if (Seconds < 1) {
      EXPECT_EQ(Second, (ScheduledRow{std::nullopt, "the budget of 0.00 s left no time for it"}));
    } else {
      EXPECT_EQ(Second, (ScheduledRow{500, "by hand"}));
      EXPECT_EQ(Written, (ScheduledRow{std::nullopt, "no code"}));
    }
  }
}

TEST_F(ModelPhaseTest, WhatTheBudgetLeavesOutSaysSo) {
  EXPECT_EQ(run(Budget(1e-9, Budget::Then::Modelling)), 3u);
  EXPECT_EQ(Asked, 0u);
  EXPECT_EQ(row(0).Ms, std::nullopt);
  EXPECT_EQ(Table.Report.Stock.Modelled.Note, row(0).Note);
  EXPECT_EQ(row(0).Note, "the budget of 0.00 s left no time for it");
}
