//===- OccupancyStepsTest.cpp - What would let more blocks be resident ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/ExplainReport.h"
#include "gtest/gtest.h"

using namespace gpuprune;

namespace {

const DeviceInfo &sm90() { return **findDevice("sm_90"); }

KernelResources blocksOf256(unsigned Registers, uint64_t DynamicShared) {
  KernelResources R;
  R.Registers = Registers;
  R.DynamicShared = DynamicShared;
  R.ThreadsPerBlock = 256;
  return R;
}

TEST(OccupancyStepsTest, FewerRegisters) {
  // 12 warps of 1280 registers fit into a scheduler's 16384, 6 blocks; 14 warps, for
  // 7 blocks, could have 1024 each, with which 16 fit.
  std::vector<OccupancyStep> Steps = occupancySteps(sm90(), blocksOf256(40, 0));
  ASSERT_EQ(Steps.size(), 1u);
  EXPECT_EQ(Steps[0].Resource, "registers");
  EXPECT_EQ(Steps[0].From, 40u);
  EXPECT_EQ(Steps[0].To, 32u);
  EXPECT_EQ(Steps[0].Blocks, 8u);
  EXPECT_EQ(Steps[0].Fraction, 1.0);
}

TEST(OccupancyStepsTest, LessSharedMemory) {
  // Two blocks of 100 KiB and the system's 1 KiB in 228 KiB; three can have 76.
  std::vector<OccupancyStep> Steps = occupancySteps(sm90(), blocksOf256(32, 100 * 1024));
  ASSERT_EQ(Steps.size(), 1u);
  EXPECT_EQ(Steps[0].Resource, "shared memory");
  EXPECT_EQ(Steps[0].To, 75u * 1024);
  EXPECT_EQ(Steps[0].Blocks, 3u);
}

TEST(OccupancyStepsTest, NothingAloneHelpsWhereBothLimit) {
  EXPECT_TRUE(occupancySteps(sm90(), blocksOf256(40, 37 * 1024)).empty());
  EXPECT_TRUE(occupancySteps(sm90(), blocksOf256(32, 0)).empty());
}

TEST(OccupancyStepsTest, BlocksOfOtherSizes) {
  std::vector<BlockSizeOccupancy> Sizes = occupancyOfOtherBlocks(sm90(), blocksOf256(65, 0));
  ASSERT_EQ(Sizes.size(), 5u);
  EXPECT_EQ(Sizes.back().Threads, 1024u);
  EXPECT_EQ(Sizes.back().Blocks, 0u); // 72 * 1024 registers are more than there are.
}

} // namespace
