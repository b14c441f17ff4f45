//===- AloneTest.cpp - Variants that make one choice only -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Alone.h"
#include "../ExpectedTesting.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

static const DefineSetting Author[] = {{"TILE", "16"}, {"UNUSED", "1"}};

static Variant parsed(StringRef Text) { return test::valueOf(parseVariant(Text)); }
static std::string choiceOf(StringRef Text) { return soleChoice(parsed(Text), Author); }

static std::vector<std::string> alone(ArrayRef<StringRef> Space) {
  std::vector<Variant> Variants;
  for (StringRef Text : Space)
    Variants.push_back(parsed(Text));
  std::vector<std::string> Result;
  for (const Variant &V : choicesAlone(Variants, Author))
    Result.push_back(printVariant(V));
  return Result;
}

TEST(Alone, SoleChoiceIsNamed) {
  EXPECT_EQ(choiceOf("gpu-unroll<loop=0;factor=2>,gpu-unroll<loop=1;factor=4>"), "gpu-unroll");
  EXPECT_EQ(choiceOf("-DTILE=16 gpu-registers<max=64>"), "gpu-registers");
  EXPECT_EQ(choiceOf("block=32,4,1"), "block");
  EXPECT_EQ(choiceOf("-DTILE=32"), "defines");
}

TEST(Alone, NoChoiceAndSeveralHaveNoName) {
  for (StringRef Text :
       {"", "-DTILE=16", "-DTILE=32 gpu-registers<max=64>", "block=64,1,1 gpu-registers<max=64>",
        "-DTILE=32 block=64,1,1", "gpu-unroll<loop=0>,gpu-registers<max=64>"})
    EXPECT_EQ(choiceOf(Text), "") << Text.str();
}

TEST(Alone, EachChoiceIsTakenOutOnce) {
  EXPECT_EQ(
      alone({"-DTILE=16 gpu-unroll<loop=0;factor=2>", "-DTILE=32 gpu-unroll<loop=0;factor=2>",
             "-DTILE=32 block=64,1,1 gpu-block-coarsen<x=2>,gpu-unroll<loop=0;factor=4>"}),
      (std::vector<std::string>{"-DTILE=32", "-DTILE=16 block=64,1,1", "-DTILE=16 gpu-block-coarsen<x=2>",
                                "-DTILE=16 gpu-unroll<loop=0;factor=4>"}));
}

TEST(Alone, NothingIsAddedToASpaceOfSoleChoices) {
  EXPECT_TRUE(alone({}).empty());
  EXPECT_TRUE(alone({""}).empty());
  EXPECT_TRUE(alone({"", "gpu-registers<max=64>", "block=64,1,1"}).empty());
}
