//===- SurveySharesTest.cpp - What each kernel of a survey gets -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SurveyShares.h"
#include "gtest/gtest.h"

using namespace gpuprune;

namespace {

const SurveyShares Minutes{/*Whole=*/240, /*Each=*/std::nullopt, /*AtOnce=*/3};

TEST(SurveyShares, WithoutABudgetEachHasItsOwn) {
  SurveyShares None;
  EXPECT_EQ(None.toPrepare({}), std::nullopt);
  EXPECT_EQ(None.toMeasure({}, 5, 5), std::nullopt);
  SurveyShares Own{std::nullopt, 60};
  EXPECT_EQ(Own.toPrepare({1000, 9, 3, 900}), 60);
  EXPECT_EQ(Own.toMeasure({1000, 9, 3, 900}, 20, 0), 40);
  EXPECT_EQ(Own.toMeasure({1000, 9, 3, 900}, 55, 0), 30) << "half of it is for measuring";
}

TEST(SurveyShares, TheFirstGetsItsPartAlone) {
  EXPECT_EQ(Minutes.toMeasure({0, 30, 0}, 1, 0), 8);
  EXPECT_DOUBLE_EQ(*Minutes.toPrepare({0, 30, 0}), 240 / 7.3);
}

TEST(SurveyShares, ASlowOneGetsWhatQuickOnesLeave) {
  // Five took 4 s each: 24 to come, at twice that, need 192 of the 220 s that are left.
  EXPECT_EQ(Minutes.toMeasure({20, 25, 5, 20}, 1, 0), 28);
  EXPECT_EQ(Minutes.toMeasure({5, 25, 5, 5}, 1, 0), 235 * 0.25) << "but a quarter of what is left at most";
  EXPECT_EQ(Minutes.toMeasure({100, 25, 5, 100}, 1, 0), 140 / 25.0) << "and its part at least";
  EXPECT_EQ(Minutes.toMeasure({100, 15, 5, 20}, 1, 0), 140 - 2 * 4 * 14) << "what was waited for is no need";
}

TEST(SurveyShares, MeasuringWhileOthersArePreparedIsFree) {
  EXPECT_EQ(Minutes.toMeasure({100, 25, 5, 100}, 1, 12), 12);
  EXPECT_EQ(Minutes.toMeasure({100, 25, 5, 100}, 1, 1000), 35);
}

TEST(SurveyShares, AnotherThatIsPreparedAloneHoldsAllUp) {
  SurveyShares FewCores{240, std::nullopt, 1};
  EXPECT_DOUBLE_EQ(*FewCores.toPrepare({5, 25, 5, 5}), 235 / 17.8);
  EXPECT_EQ(Minutes.toPrepare({5, 25, 5, 5}), 235 * 0.25);
}

TEST(SurveyShares, NoneHasMoreThanItsOwnOrWhatIsLeft) {
  SurveyShares Both{240, 10, 3};
  EXPECT_EQ(Both.toPrepare({5, 25, 5, 5}), 10);
  EXPECT_EQ(Both.toMeasure({5, 25, 5, 5}, 2, 30), 8);
  EXPECT_EQ(Minutes.toPrepare({300, 2, 28, 280}), 0);
  EXPECT_EQ(Minutes.toMeasure({300, 2, 28, 280}, 1, 30), 0);
  EXPECT_EQ(Minutes.toMeasure({200, 1, 29, 200}, 1, 0), 40) << "the last one has all";
}

} // namespace
