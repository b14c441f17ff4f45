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

namespace {

/// Rows, each of a family of its own.
std::vector<TimedModel> apart(std::vector<TimedModel> Rows) {
  for (size_t Index = 0; Index != Rows.size(); ++Index)
    Rows[Index].Family = Index;
  return Rows;
}

constexpr size_t OfNone = 1000;

} // namespace

TEST(ModelCorrection, WithoutAMeasurementTheModelIsTaken) {
  ModelCorrection None({});
  EXPECT_EQ(None.expectedMs(OfNone, ModelTerm::L1, 3), 3);
  EXPECT_EQ(None.leastRatio(false, 0.9), std::nullopt);
  EXPECT_EQ(None.leastRatio(true, 0.9), std::nullopt);
}

TEST(ModelCorrection, ATermWithoutRowsHasTheScaleOfAll) {
  ModelCorrection Twice(apart({{ModelTerm::L1, 1, 2}, {ModelTerm::L1, 3, 6}, {ModelTerm::L1, 5, 10}}));
  EXPECT_DOUBLE_EQ(Twice.expectedMs(OfNone, ModelTerm::L1, 1.5), 3);
  EXPECT_DOUBLE_EQ(Twice.expectedMs(OfNone, ModelTerm::Dram, 1.5), 3);
}

TEST(ModelCorrection, FewRowsOfATermAreDrawnTowardsAll) {
  // Three of l1 take as long as modelled, one of dram takes eight times.
  ModelCorrection C(
      apart({{ModelTerm::L1, 1, 1}, {ModelTerm::L1, 2, 2}, {ModelTerm::L1, 3, 3}, {ModelTerm::Dram, 1, 8}}));
  EXPECT_DOUBLE_EQ(C.expectedMs(OfNone, ModelTerm::L1, 1), 1);
  EXPECT_DOUBLE_EQ(C.expectedMs(OfNone, ModelTerm::Dram, 1), std::exp(std::log(8) / 4))
      << "1 / (1 + 3) of the way";
}

TEST(ModelCorrection, TheMedianIgnoresWhatIsFarOff) {
  ModelCorrection C(apart({{ModelTerm::L1, 1, 2}, {ModelTerm::L1, 1, 2}, {ModelTerm::L1, 1, 1000}}));
  EXPECT_DOUBLE_EQ(C.expectedMs(OfNone, ModelTerm::L1, 1), 2);
}

TEST(ModelCorrection, AFamilyHasAScaleOfItsOwn) {
  ModelCorrection C({{ModelTerm::L1, 1, 1, 0}, {ModelTerm::L1, 1, 1, 1}, {ModelTerm::L1, 1, 4, 2}});
  EXPECT_TRUE(C.knows(2));
  EXPECT_FALSE(C.knows(3));
  EXPECT_DOUBLE_EQ(C.expectedMs(3, ModelTerm::L1, 1), 1);
  EXPECT_DOUBLE_EQ(C.expectedMs(2, ModelTerm::L1, 1), std::exp(std::log(4) / 1.3))
      << "1 / (1 + 0.3) of the way";
}

/// So many rows of one term, the first so many times as long as modelled, all others as modelled.
static ModelCorrection oneOff(size_t Count, double Ratio) {
  std::vector<TimedModel> Known(Count, {ModelTerm::L1, 1, 1});
  Known.front().MeasuredMs = Ratio;
  return ModelCorrection(apart(Known));
}

TEST(ModelCorrection, AConfidenceNeedsSoManyResiduals) {
  EXPECT_EQ(oneOff(8, 0.5).leastRatio(false, 0.9), std::nullopt);
  EXPECT_DOUBLE_EQ(*oneOff(9, 0.5).leastRatio(false, 0.9), 0.5) << "one in ten is below the least of nine";
  EXPECT_EQ(oneOff(9, 0.5).leastRatio(false, 0.95), std::nullopt);
  EXPECT_DOUBLE_EQ(*oneOff(19, 0.5).leastRatio(false, 0.95), 0.5);
  EXPECT_DOUBLE_EQ(*oneOff(19, 0.5).leastRatio(false, 0.9), 1) << "the second";
}

TEST(ModelCorrection, AResidualIsHeldAgainstTheOthersAlone) {
  // With its own row, that one's scale would be a half, and nothing off.
  std::vector<TimedModel> Known(9, {ModelTerm::L1, 1, 1});
  Known.front() = {ModelTerm::Dram, 1, 0.5};
  EXPECT_DOUBLE_EQ(*ModelCorrection(apart(Known)).leastRatio(false, 0.9), 0.5);
}

TEST(ModelCorrection, WithinAFamilyErrorsAreSmaller) {
  // Ten families, each twice, half or as long as modelled, and within each all rows alike.
  std::vector<TimedModel> Known;
  for (size_t Family = 0; Family != 10; ++Family)
    for (double Modelled : {1, 2, 3, 4})
      Known.push_back({ModelTerm::L1, Modelled, Modelled * std::exp2(int(Family % 3) - 1), Family});
  ModelCorrection C(Known);
  EXPECT_NEAR(*C.leastRatio(false, 0.9), 0.5, 0.01) << "of another family";
  EXPECT_NEAR(*C.leastRatio(true, 0.9), 0.93, 0.01) << "drawn towards all by 0.3 / 3.3";
}

TEST(ModelCorrection, TheRowThatIsModelledFastestStandsForItsFamily) {
  // It takes as long as modelled, and what is modelled slower in each family half of that.
  std::vector<TimedModel> Known;
  for (size_t Family = 0; Family != 9; ++Family) {
    Known.push_back({ModelTerm::L1, 2, 1, Family});
    Known.push_back({ModelTerm::L1, 1, 1, Family});
  }
  ModelCorrection C(Known);
  // In logarithms all others' median is halfway.
  EXPECT_NEAR(*C.leastRatio(false, 0.9), std::sqrt(2), 1e-9);
}
