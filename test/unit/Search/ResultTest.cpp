//===- ResultTest.cpp - Names of statuses ---------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Result.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

TEST(Result, StatusNamesGoBothWays) {
  unsigned Count = 0;
  for (StringRef Name : {"ok", "spills", "resources", "refused", "frontend", "codegen", "ptxas", "launch",
                         "fault", "timeout", "wrong", "slow"}) {
    std::optional<VariantStatus> Status = parseVariantStatus(Name);
    ASSERT_TRUE(Status) << Name.str();
    EXPECT_EQ(variantStatusName(*Status), Name);
    EXPECT_EQ(static_cast<unsigned>(*Status), Count++);
  }
  EXPECT_EQ(parseVariantStatus("Ok"), std::nullopt);
  EXPECT_EQ(parseVariantStatus(""), std::nullopt);
}

TEST(Result, CheckNamesGoBothWays) {
  EXPECT_EQ(checkOutcomeName(CheckOutcome::Skipped), "skipped");
  EXPECT_EQ(checkOutcomeName(CheckOutcome::Wrong), "wrong");
  EXPECT_EQ(parseCheckOutcome("bitwise"), CheckOutcome::Bitwise);
  EXPECT_EQ(parseCheckOutcome("tolerance"), CheckOutcome::Tolerance);
  EXPECT_EQ(parseCheckOutcome("right"), std::nullopt);
}
