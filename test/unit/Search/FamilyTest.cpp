//===- FamilyTest.cpp - Variants of the same transformations ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Family.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

static std::string familyText(StringRef Text) { return printVariant(familyOf(cantFail(parseVariant(Text)))); }

TEST(Family, BlocksAndLimitsOfRegistersAreLeftOut) {
  EXPECT_EQ(familyText("-DTILE=16 block=32,8,1 gpu-block-coarsen<x=2>,gpu-registers<max=64>"),
            "-DTILE=16 gpu-block-coarsen<x=2>");
  EXPECT_EQ(familyText("block=32,1,1 gpu-registers<max=64>"), "");
}

TEST(Family, RowsHaveTheNumberOfTheirFamily) {
  std::vector<VariantResult> Rows;
  for (StringRef Text : {"gpu-block-coarsen<x=2>", "gpu-block-coarsen<x=4>",
                         "block=32,1,1 gpu-block-coarsen<x=2>", "-DN=2", ""})
    Rows.emplace_back().Parts = cantFail(parseVariant(Text));
  Families F;
  EXPECT_EQ(F.of(Rows, 4), 3u);
  EXPECT_EQ(F.of(Rows, 2), F.of(Rows, 0));
  EXPECT_NE(F.of(Rows, 1), F.of(Rows, 0));
  EXPECT_NE(F.of(Rows, 3), F.of(Rows, 4));
}
