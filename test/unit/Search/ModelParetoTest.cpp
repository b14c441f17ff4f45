//===- ModelParetoTest.cpp - The Pareto set of two modelled times ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/ModelPareto.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

static std::vector<VariantResult> rows(ArrayRef<std::pair<double, double>> Times) {
  std::vector<VariantResult> Rows;
  for (auto [Ms, QueuedMs] : Times)
    Rows.emplace_back().Modelled = {Ms, QueuedMs, ModelTerm::Xu, false, ""};
  return Rows;
}

using Indices = std::vector<size_t>;

TEST(ModelPareto, HoldsWhatIsFastByEitherTimeInTheOrderOfTheFirst) {
  EXPECT_EQ(modelParetoSet(rows({{3, 1}, {1, 3}, {2, 2}, {3, 2}, {2, 3}})), (Indices{1, 2, 0}));
}

TEST(ModelPareto, TakesTimesWithinItsResolutionAsEqual) {
  EXPECT_EQ(modelParetoSet(rows({{1, 1}, {1.0019, 1}, {1.0021, 1}})), (Indices{0, 1}));
}

TEST(ModelPareto, IsNotMovedByWhatIsFastByTheFirstTimeAlone) {
  EXPECT_EQ(modelParetoSet(rows({{1, 2}, {1.0019, 2.5}, {1.5, 1}})), (Indices{0, 1, 2}));
}

TEST(ModelPareto, PassesOverWhatCannotRunOrHasOneTime) {
  std::vector<VariantResult> Rows = rows({{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}});
  Rows[0].Status = VariantStatus::Wrong;
  Rows[1].Twin = {4, TwinKind::Ptx};
  Rows[2].NoWin = "reads what nobody wrote";
  Rows[3].Modelled.QueuedMs.reset();
  EXPECT_EQ(modelParetoSet(Rows), Indices{4});
  EXPECT_EQ(modelParetoSet(Rows, [](size_t Row) { return Row != 4; }), Indices());
}

TEST(ModelPareto, AsksForTheSetOnceAndForOthersWhereOneIsWrong) {
  std::vector<VariantResult> Rows = rows({{1, 1}, {2, 2}});
  std::unique_ptr<Strategy> S = makeModelParetoStrategy();
  EXPECT_EQ(S->nextBatch(Rows), Indices{0});
  Rows[0].Status = VariantStatus::Wrong;
  EXPECT_EQ(S->nextBatch(Rows), Indices{1});
  Rows[1].OnGpu.MedianMs = 2;
  EXPECT_EQ(S->nextBatch(Rows), Indices());
  EXPECT_EQ(S->whyDone(), "1 of 1 variants are on the Pareto set of both modelled times");
}

TEST(ModelPareto, SaysWhereThereIsNothingToChooseFrom) {
  std::unique_ptr<Strategy> S = makeModelParetoStrategy();
  EXPECT_EQ(S->nextBatch(rows({})), Indices());
  EXPECT_EQ(S->whyDone(), "no variant that is right has a modelled time");
}
