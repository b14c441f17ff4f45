//===- ModelCorrectionTest.cpp - What measured times say of a model --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/ModelCorrection.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuprune;

TEST(ModelCorrection, WithoutAMeasurementTheModelIsTaken) {
  ModelCorrection None({});
  EXPECT_EQ(None.expectedMs(ModelTerm::L1, 3), 3);
  EXPECT_EQ(None.leastRatio(0.9), std::nullopt);
}

TEST(ModelCorrection, ATermWithoutRowsHasTheScaleOfAll) {
  ModelCorrection Twice({{ModelTerm::L1, 1, 2}, {ModelTerm::L1, 3, 6}, {ModelTerm::L1, 5, 10}});
  EXPECT_DOUBLE_EQ(Twice.expectedMs(ModelTerm::L1, 1.5), 3);
  EXPECT_DOUBLE_EQ(Twice.expectedMs(ModelTerm::Dram, 1.5), 3);
}

TEST(ModelCorrection, FewRowsOfATermAreDrawnTowardsAll) {
  // Three of l1 take as long as modelled, one of dram takes eight times.
  ModelCorrection C(
      {{ModelTerm::L1, 1, 1}, {ModelTerm::L1, 2, 2}, {ModelTerm::L1, 3, 3}, {ModelTerm::Dram, 1, 8}});
  EXPECT_DOUBLE_EQ(C.expectedMs(ModelTerm::L1, 1), 1);
  EXPECT_DOUBLE_EQ(C.expectedMs(ModelTerm::Dram, 1), std::exp(std::log(8) / 4)) << "1 / (1 + 3) of the way";
}

TEST(ModelCorrection, TheMedianIgnoresWhatIsFarOff) {
  ModelCorrection C({{ModelTerm::L1, 1, 2}, {ModelTerm::L1, 1, 2}, {ModelTerm::L1, 1, 1000}});
  EXPECT_DOUBLE_EQ(C.expectedMs(ModelTerm::L1, 1), 2);
}

/// So many rows of one term, the first so many times as long as modelled, all others as modelled.
static ModelCorrection oneOff(size_t Count, double Ratio) {
  std::vector<TimedModel> Known(Count, {ModelTerm::L1, 1, 1});
  Known.front().MeasuredMs = Ratio;
  return ModelCorrection(Known);
}

TEST(ModelCorrection, AConfidenceNeedsSoManyResiduals) {
  EXPECT_EQ(oneOff(8, 0.5).leastRatio(0.9), std::nullopt);
  EXPECT_DOUBLE_EQ(*oneOff(9, 0.5).leastRatio(0.9), 0.5) << "one in ten is below the least of nine";
  EXPECT_EQ(oneOff(9, 0.5).leastRatio(0.95), std::nullopt);
  EXPECT_DOUBLE_EQ(*oneOff(19, 0.5).leastRatio(0.95), 0.5);
  EXPECT_DOUBLE_EQ(*oneOff(19, 0.5).leastRatio(0.9), 1) << "the second";
}

TEST(ModelCorrection, AResidualIsHeldAgainstTheOthersAlone) {
  // With its own row, that one's scale would be a half, and nothing off.
  std::vector<TimedModel> Known(9, {ModelTerm::L1, 1, 1});
  Known.front() = {ModelTerm::Dram, 1, 0.5};
  EXPECT_DOUBLE_EQ(*ModelCorrection(Known).leastRatio(0.9), 0.5);
}
