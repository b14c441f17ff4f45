//===- PortionChooserTest.cpp - What is built of a large space ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/PortionChooser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <cmath>
#include <set>

using namespace llvm;
using namespace gpuprune;

namespace {

Variant variant(const Twine &Text) { return cantFail(parseVariant(Text.str())); }

/// Three things to choose, sixteen values each.
std::vector<Variant> cube() {
  std::vector<Variant> All;
  for (unsigned A = 1; A <= 16; ++A)
    for (unsigned B = 1; B <= 16; ++B)
      for (unsigned C = 1; C <= 16; ++C)
        All.push_back(variant(formatv("-DA={0} -DB={1} gpu-registers<max={2}>", A, B, 16 + C)));
  return All;
}

/// As if each choice of row \p Row cost a factor, the least at 11, 5 and 14.
double costOf(size_t Row) {
  auto Far = [](size_t Place, int From) { return std::abs(int(Place) - From); };
  return std::exp(0.1 * Far(Row / 256, 10) + 0.05 * Far(Row / 16 % 16, 4) + 0.02 * Far(Row % 16, 13));
}
constexpr size_t Best = 10 * 256 + 4 * 16 + 13;

class PortionChooserTest : public ::testing::Test {
protected:
  std::vector<Variant> Space = cube();
  std::vector<VariantResult> Rows{Space.size()};
  std::vector<size_t> Built;

  /// Asks until there is no more; \p IsGood: has a modelled time.
  void build(PortionChooser &Chooser, function_ref<bool(size_t)> IsGood) {
    while (true) {
      std::vector<size_t> Portion = Chooser.next(Rows);
      if (Portion.empty())
        return;
      for (size_t Row : Portion) {
        if (IsGood(Row))
          Rows[Row].Modelled.Ms = costOf(Row);
        Built.push_back(Row);
      }
    }
  }
};

TEST_F(PortionChooserTest, FindsTheBestInATenthOfTheSpace) {
  PortionChooser Chooser(Space, 400);
  build(Chooser, [](size_t) { return true; });
  EXPECT_EQ(Built.size(), 400u);
  EXPECT_EQ(std::set<size_t>(Built.begin(), Built.end()).size(), 400u);
  EXPECT_TRUE(is_contained(Built, Best));
  // The first 128 are spread, so they hold it only by chance.
  EXPECT_FALSE(is_contained(ArrayRef(Built).take_front(128), Best));
}

TEST_F(PortionChooserTest, TheRestIsAllThatWasNotChosen) {
  PortionChooser Chooser(Space, 400);
  std::vector<size_t> First = Chooser.next(Rows), Rest = Chooser.rest();
  EXPECT_EQ(Chooser.chosen(), Space.size());
  EXPECT_EQ(First.size() + Rest.size(), Space.size());
  std::set<size_t> All(First.begin(), First.end());
  All.insert(Rest.begin(), Rest.end());
  EXPECT_EQ(All.size(), Space.size()) << "each once";
  EXPECT_TRUE(Chooser.next(Rows).empty());
}

TEST_F(PortionChooserTest, BuildsAllThatThereIs) {
  Space.resize(300);
  Rows.resize(300);
  PortionChooser Chooser(Space, 2048);
  build(Chooser, [](size_t) { return true; });
  EXPECT_EQ(std::set<size_t>(Built.begin(), Built.end()).size(), 300u);
}

TEST_F(PortionChooserTest, LeavesWhatCannotBeBuilt) {
  // A fourth fails, where the best would be.
  auto IsGood = [](size_t Row) { return Row / 256 < 8 || Row / 256 > 11; };
  PortionChooser Chooser(Space, 640);
  build(Chooser, IsGood);
  auto Failed = count_if(ArrayRef(Built).drop_front(128), [&](size_t Row) { return !IsGood(Row); });
  EXPECT_LT(Failed, 512 / 8);
  // The best of what is left.
  EXPECT_TRUE(is_contained(Built, size_t(12 * 256 + 4 * 16 + 13)));
}

TEST_F(PortionChooserTest, GoesOnWhereNothingHasATime) {
  PortionChooser Chooser(Space, 500);
  build(Chooser, [](size_t) { return false; });
  EXPECT_EQ(std::set<size_t>(Built.begin(), Built.end()).size(), 500u);
}

TEST(DefaultAtMost, IsATenthOfALargeSpace) {
  EXPECT_EQ(defaultAtMost(1), 1u);
  EXPECT_EQ(defaultAtMost(512), 512u);
  EXPECT_EQ(defaultAtMost(513), 256u);
  EXPECT_EQ(defaultAtMost(11040), 1104u);
}

TEST_F(PortionChooserTest, IsTheSameEachTime) {
  PortionChooser One(Space, 600), Other(Space, 600);
  build(One, [](size_t) { return true; });
  std::vector<size_t> First = std::exchange(Built, {});
  build(Other, [](size_t) { return true; });
  EXPECT_EQ(First, Built);
}

} // namespace
