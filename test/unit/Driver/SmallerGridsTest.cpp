//===- SmallerGridsTest.cpp - Tests of which smaller grids are timed ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/SmallerGrids.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

namespace {

Dim3 dividing(Dim3 Divisor, std::vector<HiddenParameter> Hidden = {}, std::optional<Dim3> Block = {}) {
  TuningRecord R;
  R.Contract.GridDivisor = Divisor;
  R.Contract.Hidden = std::move(Hidden);
  R.Conditions.Block = {16, 16, 1};
  R.Block = Block;
  return gridMultiples(R);
}

std::string firstOf(Dim3 Grid, unsigned Halvings, const Dim3 &Multiples = {}) {
  std::optional<Dim3> Small = firstBlocks(Grid, Halvings, Multiples);
  return Small ? Small->text('x') : "none";
}

/// Where the variant pays from \p PaysFrom blocks on: the smallest that pays, and which were timed.
struct Search {
  uint64_t Least = 0;
  std::vector<uint64_t> Timed;
};
Search searchFrom(Dim3 Grid, uint64_t PaysFrom, const Dim3 &Multiples = {}, uint64_t Above = 0) {
  Search S;
  S.Least = smallestThatPays(Grid, Above, Multiples, [&](const Dim3 &Small) {
    uint64_t Blocks = uint64_t(Small.volume());
    S.Timed.push_back(Blocks);
    return std::optional(Blocks >= PaysFrom ? 1.02 : 1.019);
  });
  return S;
}

} // namespace

TEST(SmallerGrids, TheLargestExtentIsHalved) {
  EXPECT_EQ(firstOf({256, 1, 1}, 1), "128x1x1");
  EXPECT_EQ(firstOf({257, 1, 1}, 2), "65x1x1");
  EXPECT_EQ(firstOf({16, 16, 1}, 2), "8x8x1");
  EXPECT_EQ(firstOf({4, 32, 8}, 3), "4x4x8");
  EXPECT_EQ(firstOf({2, 1, 1}, 1), "1x1x1");
  EXPECT_EQ(firstOf({2, 1, 1}, 2), "none");
  EXPECT_EQ(firstOf({1, 1, 1}, 1), "none");
}

TEST(SmallerGrids, ExtentsCanBeLaunched) {
  EXPECT_EQ(firstOf({24, 1, 1}, 2, dividing({8, 1, 1})), "8x1x1");
  EXPECT_EQ(firstOf({24, 1, 1}, 1, dividing({8, 1, 1})), "16x1x1");
  EXPECT_EQ(firstOf({8, 1, 1}, 1, dividing({8, 1, 1})), "none");
  EXPECT_EQ(firstOf({8, 1, 1}, 1, dividing({8, 1, 1}, {HiddenParameter::GridX})), "4x1x1");
  EXPECT_EQ(firstOf({24, 3, 1}, 1, dividing({8, 3, 1})), "16x3x1");
}

TEST(SmallerGrids, ExtentsFitAnotherBlock) {
  EXPECT_EQ(dividing({1, 1, 1}, {}, Dim3{32, 4, 1}), (Dim3{2, 1, 1}));
  EXPECT_EQ(dividing({3, 8, 1}, {}, Dim3{32, 4, 1}), (Dim3{6, 2, 1}));
  EXPECT_EQ(dividing({3, 8, 1}, {HiddenParameter::GridX, HiddenParameter::GridY}, Dim3{24, 4, 1}),
            (Dim3{3, 1, 1}));
  EXPECT_EQ(firstOf({20, 1, 1}, 2, dividing({1, 1, 1}, {}, Dim3{32, 16, 1})), "6x1x1");
}

TEST(SmallerGrids, AreTimedWhileTheyPay) {
  Search S = searchFrom({4096, 1, 1}, 200);
  EXPECT_EQ(S.Least, 256u);
  EXPECT_EQ(S.Timed, (std::vector<uint64_t>{1024, 256, 64, 128}));
  S = searchFrom({4096, 1, 1}, 100);
  EXPECT_EQ(S.Least, 128u) << "twice the first that does not pay";
  S = searchFrom({4096, 1, 1}, 4096);
  EXPECT_EQ(S.Least, 4096u);
  EXPECT_EQ(S.Timed, (std::vector<uint64_t>{1024, 2048}));
  S = searchFrom({4096, 1, 1}, 0);
  EXPECT_EQ(S.Least, 1u);
  EXPECT_EQ(S.Timed, (std::vector<uint64_t>{1024, 256, 64, 16, 4, 1}));
}

TEST(SmallerGrids, ThoseOfASmallerClassAreNotTimed) {
  Search S = searchFrom({4096, 1, 1}, 0, {}, 255);
  EXPECT_EQ(S.Least, 256u);
  EXPECT_EQ(S.Timed, (std::vector<uint64_t>{1024, 256}));
  S = searchFrom({4096, 1, 1}, 0, {}, 256);
  EXPECT_EQ(S.Least, 512u);
  EXPECT_EQ(S.Timed, (std::vector<uint64_t>{1024, 512}));
  S = searchFrom({4096, 1, 1}, 0, {}, 4000);
  EXPECT_EQ(S.Least, 4096u);
  EXPECT_TRUE(S.Timed.empty());
}

TEST(SmallerGrids, AtMostSixAreTimed) {
  for (uint64_t PaysFrom : {0, 1, 5, 300, 1 << 12, 1 << 20, 1 << 25}) {
    Search S = searchFrom({1 << 20, 16, 16}, PaysFrom);
    EXPECT_LE(S.Timed.size(), 6u);
    EXPECT_GE(S.Least, PaysFrom);
    EXPECT_LE(S.Least, uint64_t(1) << 28);
  }
}

TEST(SmallerGrids, NoneIsTimedTwiceWhereDivisorsLeaveFew) {
  Search S = searchFrom({24, 1, 1}, 0, dividing({8, 1, 1}));
  EXPECT_EQ(S.Least, 8u);
  EXPECT_EQ(S.Timed, (std::vector<uint64_t>{8}));
  S = searchFrom({1024, 1, 1}, 16, dividing({8, 1, 1}));
  EXPECT_EQ(S.Least, 16u);
  EXPECT_EQ(S.Timed, (std::vector<uint64_t>{256, 64, 16, 8}));
  S = searchFrom({8, 1, 1}, 0, dividing({8, 1, 1}));
  EXPECT_EQ(S.Least, 8u);
  EXPECT_TRUE(S.Timed.empty());
}

TEST(SmallerGrids, WhatCannotBeTimedDoesNotPay) {
  EXPECT_EQ(smallestThatPays({64, 1, 1}, 0, {}, [](const Dim3 &) { return std::nullopt; }), 64u);
}
