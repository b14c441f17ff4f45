//===- CountedTest.cpp - A number and what is counted ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/Counted.h"
#include "gtest/gtest.h"

using namespace gpuprune;

TEST(Counted, OnlyOneIsSingular) {
  EXPECT_EQ(counted(0, "variant"), "0 variants");
  EXPECT_EQ(counted(1, "variant"), "1 variant");
  EXPECT_EQ(counted(UINT64_MAX, "variant"), "18446744073709551615 variants");
  EXPECT_EQ(counted(1, "choice of defines", "choices of defines"), "1 choice of defines");
  EXPECT_EQ(counted(2, "choice of defines", "choices of defines"), "2 choices of defines");
}
