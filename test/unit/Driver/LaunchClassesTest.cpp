//===- LaunchClassesTest.cpp - Tests of which variant is for which grid ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/LaunchClasses.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace llvm;
using namespace gpuprune;

namespace {

/// A class of blocks of \p Threads with a record, where \p Variant is not empty.
TunedClass classOf(int64_t Threads, uint64_t Blocks, StringRef Variant, uint64_t Least = 0,
                   double StockMs = 1) {
  TunedClass C{{Threads, 1, 1}, Blocks, std::nullopt, Least ? Least : Blocks};
  if (Variant.empty())
    return C;
  C.Record.emplace();
  C.Record->Variant = Variant.str();
  C.Record->Times = {"", StockMs, StockMs / 2};
  return C;
}

/// "64: 10-99 a, 100- b"
std::string textOf(std::vector<TunedClass> Classes) {
  std::string Text;
  for (const TuningRecord &R : variantsOf(std::move(Classes))) {
    const LaunchConditions &C = R.Conditions;
    Text += formatv("{0}{1}: {2}-{3} {4}", Text.empty() ? "" : ", ", C.Block.X, C.LeastBlocks,
                    C.MostBlocks ? utostr(*C.MostBlocks) : std::string(), R.Variant);
  }
  return Text;
}

} // namespace

TEST(LaunchClasses, OneIsUpwardsOpen) {
  EXPECT_EQ(textOf({classOf(64, 100, "a")}), "64: 100- a");
  EXPECT_EQ(textOf({classOf(64, 100, "a", 7)}), "64: 7- a");
  EXPECT_EQ(textOf({classOf(64, 100, "a", 200)}), "64: 100- a") << "it was timed at 100";
}

TEST(LaunchClasses, ALargerOneEndsTheSmallerOne) {
  EXPECT_EQ(textOf({classOf(64, 1000, "b"), classOf(64, 100, "a")}), "64: 100-999 a, 64: 1000- b");
  EXPECT_EQ(textOf({classOf(64, 100, "a"), classOf(64, 1000, "b", 300)}), "64: 100-299 a, 64: 300- b");
  EXPECT_EQ(textOf({classOf(64, 100, "a"), classOf(64, 1000, "b", 10)}), "64: 100-100 a, 64: 101- b");
}

TEST(LaunchClasses, WhereNothingIsFasterTheAuthorsKernelStays) {
  EXPECT_EQ(textOf({classOf(64, 100, "a"), classOf(64, 1000, "")}), "64: 100-999 a");
  EXPECT_EQ(textOf({classOf(64, 100, ""), classOf(64, 1000, "b", 10)}), "64: 101- b");
  EXPECT_EQ(textOf({classOf(64, 100, "")}), "");
}

TEST(LaunchClasses, WhatStandsBehindIsForGridsThatItPaysFor) {
  TunedClass Class = classOf(64, 100, "a", 7);
  Class.Otherwise = classOf(64, 100, "b").Record;
  Class.OtherwiseLeast = 20;
  EXPECT_EQ(textOf({Class}), "64: 7- a, 64: 20- b");
  Class.OtherwiseLeast = 3;
  EXPECT_EQ(textOf({Class}), "64: 7- a, 64: 3- b")
      << "the parts that were timed of the first are multiples of more";
  EXPECT_EQ(textOf({classOf(64, 5, "c"), Class}), "64: 5-6 c, 64: 7- a, 64: 6- b")
      << "smaller ones are another class's";
  Class.OtherwiseLeast = 1000;
  EXPECT_EQ(textOf({Class}), "64: 7- a, 64: 100- b") << "it was timed at 100";
}

TEST(LaunchClasses, BehindAnotherBlockStandsTheAuthors) {
  TunedClass Wide = classOf(64, 100, "a", 7), Larger = classOf(64, 1000, "b", 300);
  Wide.Record->Block = {128, 1, 1};
  Wide.Otherwise = classOf(64, 100, "c").Record;
  EXPECT_EQ(textOf({Wide}), "64: 7- a, 64: 100- c") << "c was not timed for smaller grids";
  EXPECT_EQ(textOf({Wide, Larger}), "64: 7-299 a, 64: 100-299 c, 64: 300- b");
  EXPECT_EQ(textOf({Wide, classOf(64, 101, "")}), "64: 7-100 a, 64: 100-100 c");
}

TEST(LaunchClasses, BlocksAreCountedWithoutOverflow) {
  EXPECT_EQ(blocksOf({3, 5, 7}), 105u);
  EXPECT_EQ(blocksOf({INT32_MAX, UINT16_MAX, UINT16_MAX}), uint64_t(INT32_MAX) * UINT16_MAX * UINT16_MAX);
  EXPECT_EQ(blocksOf({UINT32_MAX, UINT32_MAX, UINT32_MAX}), UINT64_MAX);
  EXPECT_EQ(textOf({classOf(64, UINT64_MAX, "b"), classOf(64, 100, "a")}),
            "64: 100-18446744073709551614 a, 64: 18446744073709551615- b");
}

TEST(LaunchClasses, OfAnotherBlockDoNotCount) {
  EXPECT_EQ(textOf({classOf(128, 50, "b"), classOf(64, 100, "a"), classOf(32, 1, "")}),
            "64: 100- a, 128: 50- b");
}

TEST(LaunchClasses, TwiceTheSameIsTheLongerLaunch) {
  EXPECT_EQ(textOf({classOf(64, 100, "a", 0, 1), classOf(64, 100, "b", 0, 2)}), "64: 100- b");
  EXPECT_EQ(textOf({classOf(64, 100, "b", 0, 2), classOf(64, 100, "")}), "64: 100- b");
}

// Whatever is tuned: no launch has two variants, that of a class is its own, and one between two classes has
// that of the larger one where it was timed to pay there, else that of the smaller one.
TEST(LaunchClasses, RangesAreDisjointAndHoldTheirClass) {
  std::mt19937 Random(7);
  auto OneOf = [&](uint64_t Most) { return 1 + Random() % Most; };
  for (unsigned Case = 0; Case != 2000; ++Case) {
    std::vector<TunedClass> Classes;
    std::set<std::pair<int64_t, uint64_t>> Known;
    for (uint64_t I = OneOf(6); I-- != 0;) {
      TunedClass C =
          classOf(int64_t(32 * OneOf(2)), OneOf(30), OneOf(3) == 1 ? "" : utostr(I + 1), OneOf(30));
      if (Known.insert({C.Block.X, C.Blocks}).second)
        Classes.push_back(std::move(C));
    }
    std::vector<TuningRecord> File = variantsOf(Classes);
    for (int64_t Threads : {32, 64})
      for (uint64_t Blocks = 1; Blocks != 40; ++Blocks) {
        std::vector<std::string> Takes;
        for (const TuningRecord &R : File)
          if (R.Conditions.Block.X == Threads && Blocks >= R.Conditions.LeastBlocks &&
              Blocks <= R.Conditions.MostBlocks.value_or(UINT64_MAX))
            Takes.push_back(R.Variant);
        const TunedClass *Below = nullptr, *Above = nullptr;
        for (const TunedClass &C : Classes)
          if (C.Block.X == Threads) {
            if (C.Blocks <= Blocks && (!Below || C.Blocks > Below->Blocks))
              Below = &C;
            if (C.Blocks > Blocks && (!Above || C.Blocks < Above->Blocks))
              Above = &C;
          }
        bool AtBelow = Below && Below->Blocks == Blocks;
        bool IsAboves = !AtBelow && Above && Above->Record && Blocks >= Above->LeastBlocks;
        const TunedClass *Its = IsAboves ? Above : Below;
        std::vector<std::string> Expected;
        if (Its && Its->Record)
          Expected.push_back(Its->Record->Variant);
        ASSERT_EQ(Takes, Expected) << Threads << " " << Blocks << " of " << textOf(Classes);
      }
  }
}
