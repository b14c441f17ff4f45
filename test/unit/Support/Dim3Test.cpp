//===- Dim3Test.cpp - A three-dimensional extent as text ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/Dim3.h"
#include "gtest/gtest.h"

using namespace gpuprune;

TEST(Dim3, ReadsOneToThreeNumbers) {
  EXPECT_EQ(Dim3::parse("256"), (Dim3{256, 1, 1}));
  EXPECT_EQ(Dim3::parse("32,8"), (Dim3{32, 8, 1}));
  EXPECT_EQ(Dim3::parse(" 8, 4 ,2"), (Dim3{8, 4, 2}));
  EXPECT_EQ(Dim3::parse("16x16x4", 'x'), (Dim3{16, 16, 4}));
  EXPECT_EQ(Dim3::parse("4294967295"), (Dim3{4294967295, 1, 1}));
  EXPECT_EQ(Dim3::parse("1024,1", ',', 1024), (Dim3{1024, 1, 1}));
}

TEST(Dim3, ReadsNothingElse) {
  for (const char *Text : {"", ",", "8,", ",8", "8,,8", "8,8,8,8", "8,8,8,", "0", "8,0", "-1", "+8", "8 8",
                           "x", "8x8", "0x8", "1.5", "4294967296", "99999999999999999999"})
    EXPECT_EQ(Dim3::parse(Text), std::nullopt) << Text;
  EXPECT_EQ(Dim3::parse("8,8", 'x'), std::nullopt);
  EXPECT_EQ(Dim3::parse("1025", ',', 1024), std::nullopt);
  EXPECT_EQ(Dim3::parse("1,1025", ',', 1024), std::nullopt);
}

TEST(Dim3, ReadsWhatItWrites) {
  for (const Dim3 &D : {Dim3{1, 1, 1}, Dim3{32, 8, 1}, Dim3{2147483647, 65535, 65535}}) {
    EXPECT_EQ(Dim3::parse(D.text()), D);
    EXPECT_EQ(Dim3::parse(D.text('x'), 'x'), D);
  }
  EXPECT_EQ((Dim3{1, 2, 3}).text(), "1,2,3");
  EXPECT_EQ((Dim3{1, 2, 3}).text('x'), "1x2x3");
}
