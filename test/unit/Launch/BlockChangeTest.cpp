//===- BlockChangeTest.cpp - Tests of launches in other blocks -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Launch/BlockChange.h"
#include "gpuprune/Support/Error.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

namespace {

/// "refused (...)" and what follows.
std::string refusal(const BlockChange &Change, const AuthorLaunch &Author) {
  Expected<AuthorLaunch> Launch = Change.regrouped(Author);
  if (Launch)
    return "launched in " + Launch->Grid.text();
  return takeError(Launch.takeError()).Text;
}

bool has(const std::string &Text, StringRef Part) { return StringRef(Text).contains(Part); }

} // namespace

TEST(BlockChange, LaunchesAsManyThreadsInOtherBlocks) {
  BlockChange Change{{16, 16, 1}, {32, 4, 1}};
  EXPECT_EQ(cantFail(Change.regrouped({{64, 48, 5}, {16, 16, 1}, 100})),
            (AuthorLaunch{{32, 192, 5}, {32, 4, 1}, 100}));
  EXPECT_TRUE(Change.changes(0) && Change.changes(1) && !Change.changes(2));
}

TEST(BlockChange, RefusesWhatTheNewBlockDoesNotDivide) {
  BlockChange Change{{16, 16, 1}, {32, 4, 1}};
  std::string Text = refusal(Change, {{63, 48, 1}, {16, 16, 1}});
  EXPECT_TRUE(has(Text, "refused (ShapeNotDivisible)")) << Text;
  EXPECT_TRUE(has(Text, "63 blocks of 16 threads in x are 1008 threads, which blocks of 32")) << Text;
  BlockChange InZ{{8, 8, 2}, {8, 8, 3}};
  EXPECT_TRUE(has(refusal(InZ, {{1, 1, 2}, {8, 8, 2}}), "in z are 4 threads"));
  EXPECT_EQ(refusal(InZ, {{1, 1, 3}, {8, 8, 2}}), "launched in 1,1,2");
}

TEST(BlockChange, IsOfTheAuthorsBlockAlone) {
  std::string Text = refusal({{16, 16, 1}, {32, 8, 1}}, {{64, 64, 1}, {32, 8, 1}});
  EXPECT_TRUE(has(Text, "refused (BadLaunchContract): the launch is one in blocks of 32x8x1 threads"))
      << Text;
}

TEST(BlockChange, KeepsToThreadsThatAnIndexCounts) {
  BlockChange Change{{1024, 1, 1}, {512, 1, 1}};
  EXPECT_EQ(refusal(Change, {{2097151, 1, 1}, {1024, 1, 1}}), "launched in 4194302,1,1");
  EXPECT_TRUE(has(refusal(Change, {{2097152, 1, 1}, {1024, 1, 1}}), "2^31 - 1 threads or fewer"));
  EXPECT_TRUE(has(refusal(Change, {{2147483647, 1, 1}, {1024, 1, 1}}), "2^31 - 1 threads or fewer"));
  EXPECT_TRUE(has(refusal(Change, {{INT64_MAX, 1, 1}, {1024, 1, 1}}), "2^31 - 1 threads or fewer"));
  EXPECT_TRUE(has(refusal(Change, {{0, 1, 1}, {1024, 1, 1}}), "expected one block or more"));
  EXPECT_TRUE(has(refusal(Change, {{-2, 1, 1}, {1024, 1, 1}}), "expected one block or more"));
  EXPECT_EQ(refusal({{1, 1, 1}, {1, 2, 1}}, {{2147483647, 2, 1}, {1, 1, 1}}), "launched in 2147483647,1,1")
      << "x is as it was";
}

TEST(BlockChange, KeepsToGridsThatCanBeLaunched) {
  for (unsigned D : {1u, 2u}) {
    BlockChange Smaller{{1, 1, 1}, {1, 1, 1}}, Larger = Smaller;
    Smaller.From[D] = Larger.To[D] = 2;
    Dim3 Grid{1, 1, 1};
    Grid[D] = 32767;
    EXPECT_EQ(cantFail(Smaller.regrouped({Grid, Smaller.From})).Grid[D], 65534);
    Grid[D] = 32768;
    EXPECT_TRUE(has(refusal(Smaller, {Grid, Smaller.From}), "65536 blocks of 1, and a grid has 65535"));
    Grid[D] = 65534;
    EXPECT_EQ(cantFail(Larger.regrouped({Grid, Larger.From})).Grid[D], 32767);
    Grid[D] = 65536;
    EXPECT_TRUE(has(refusal(Larger, {Grid, Larger.From}), "is not launched in other blocks"))
        << "nor is it by its author";
  }
}
