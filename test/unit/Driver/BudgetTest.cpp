//===- BudgetTest.cpp - How long a run may take ----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/Budget.h"
#include "AsWritten.h"
#include "gtest/gtest.h"
#include <limits>
#include <set>

using namespace gpuprune;

namespace {

TEST(Budget, WithoutOneNothingEnds) {
  Budget None(std::nullopt, Budget::Then::Measuring);
  EXPECT_FALSE(None.isBounded() || None.compilingOver() || None.assemblingOver() || None.measuringOver(1e12));
  EXPECT_FALSE(None.end());
}

TEST(Budget, ShareByShareItEnds) {
  Budget Long(1e6, Budget::Then::Measuring);
  EXPECT_TRUE(Long.isBounded());
  EXPECT_FALSE(Long.compilingOver() || Long.assemblingOver() || Long.measuringOver(1000));
  EXPECT_TRUE(Long.end());
  Budget Over(1e-9, Budget::Then::Measuring);
  EXPECT_TRUE(Over.compilingOver() && Over.assemblingOver() && Over.measuringOver(0));
}

TEST(Budget, PreparingEndsAlsoWhereMeasuringHasItsOwnTime) {
  Budget Over(1e-9, Budget::Then::MeasuringApart);
  EXPECT_TRUE(Over.compilingOver() && Over.assemblingOver()) << "it is bounded all the same";
  Budget Long(1e6, Budget::Then::MeasuringApart);
  EXPECT_FALSE(Long.compilingOver() || Long.assemblingOver() || Long.measuringOver(1000));
}

TEST(Budget, ModellingHasAShareToo) {
  EXPECT_FALSE(Budget(std::nullopt, Budget::Then::Modelling).modellingOver());
  for (Budget::Then Follows : {Budget::Then::Modelling, Budget::Then::ModellingAndMeasuring,
                               Budget::Then::ModellingAndMeasuringApart}) {
    EXPECT_FALSE(Budget(1e6, Follows).modellingOver());
    EXPECT_TRUE(Budget(1e-9, Follows).modellingOver());
  }
}

TEST(Budget, TheFinalRoundsKeepNoMoreThanTheirShare) {
  // A final of a year must not keep the measurements before it from being made.
  EXPECT_FALSE(Budget(1e6, Budget::Then::Measuring).measuringOver(3e10));
}

TEST(Budget, MeasuringCanHaveAnEndOfItsOwn) {
  Budget Spent(1e-9, Budget::Then::Measuring);
  EXPECT_TRUE(Spent.measuringOver(0));
  Spent.endIn(1e6);
  EXPECT_FALSE(Spent.measuringOver(3e10));
  EXPECT_TRUE(Spent.compilingOver() && Spent.assemblingOver()) << "what is over stays over";
  EXPECT_EQ(Spent.seconds(), 1e-9) << "what was asked for";
  Budget Long(1e6, Budget::Then::Measuring);
  Long.endIn(0);
  EXPECT_TRUE(Long.measuringOver(0));
  EXPECT_FALSE(Long.compilingOver());
}

TEST(Budget, ThePromisingComeFirst) {
  std::vector<VariantResult> Rows(5);
  auto Set = [&](size_t I, double Efficiency, double Utilization, bool Pareto) {
    Rows[I].Efficiency = Efficiency;
    Rows[I].Utilization = Utilization;
    Rows[I].Pareto = Pareto;
  };
  Set(0, 9, 9, false);
  Set(1, 1, 5, true);
  Set(2, 3, 4, true);
  Set(3, std::numeric_limits<double>::infinity(), 0, true);
  std::vector<size_t> Batch = {0, 1, 2, 3, 4};
  sortByPromise(Batch, Rows);
  EXPECT_EQ(Batch, (std::vector<size_t>{2, 1, 3, 0, 4}));
}

TEST(BudgetShare, HalfIsEvenAndHalfByTheTimesAsWritten) {
  EXPECT_DOUBLE_EQ(budgetShare(100, {1.0, 3.0}), 25 + 12.5);
  EXPECT_DOUBLE_EQ(budgetShare(100, {3.0, 1.0}), 25 + 37.5);
  EXPECT_DOUBLE_EQ(budgetShare(100, {1.0, 1.0, 1.0, 1.0}), 25);
  EXPECT_DOUBLE_EQ(budgetShare(62.5, {1.0}), 62.5) << "the last gets what is left";
}

TEST(NegligibleLaunches, AreTheShortestThatTakeSoMuchTogether) {
  using Which = std::vector<bool>;
  EXPECT_EQ(negligibleLaunches({1.0, 96.0, 2.0, 1.0}, 3), Which({true, false, false, true}));
  EXPECT_EQ(negligibleLaunches({1.0, 96.0, 2.0, 1.0}, 4), Which({true, false, true, true}));
  EXPECT_EQ(negligibleLaunches({1.0, 1.0, 98.0}, 1), Which({true, false, false})) << "the first of equals";
  EXPECT_EQ(negligibleLaunches({50.0, 50.0}, 3), Which({false, false}));
  EXPECT_EQ(negligibleLaunches({1.0, 99.0}, 0), Which({false, false}));
}

TEST(NegligibleLaunches, AreNoneWithoutTimes) {
  using Which = std::vector<bool>;
  EXPECT_EQ(negligibleLaunches({0.0, std::nullopt, 99.0}, 3), Which({false, false, false}));
  EXPECT_EQ(negligibleLaunches({0.0, 0.0}, 3), Which({false, false})) << "too short to tell them apart";
  EXPECT_EQ(negligibleLaunches({}, 3), Which());
}

TEST(BudgetShare, WithoutTimesAllAreEqual) {
  EXPECT_DOUBLE_EQ(budgetShare(90, {std::nullopt, std::nullopt, std::nullopt}), 30);
  EXPECT_DOUBLE_EQ(budgetShare(90, {std::nullopt, 5.0}), 45);
  EXPECT_DOUBLE_EQ(budgetShare(90, {0.0, 0.0}), 45);
  EXPECT_DOUBLE_EQ(budgetShare(-5, {1.0, 2.0}), 0.1) << "it is over: the shortest there is";
}

} // namespace
