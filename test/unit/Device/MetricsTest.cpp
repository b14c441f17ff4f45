//===- MetricsTest.cpp - The metrics against the paper's worked example ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/Metrics.h"
#include "gpuprune/Device/Occupancy.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace llvm;
using namespace gpuprune;

// Ryoo et al., section 4: 4k x 4k matrix multiplication on the GeForce 8800.
TEST(Metrics, RyooWorkedExample) {
  KernelResources Kernel;
  Kernel.ThreadsPerBlock = 256;
  Kernel.Registers = 13;
  Kernel.StaticShared = 2088;
  Occupancy Occ = computeOccupancy(*cantFail(findDevice("G80")), Kernel);
  EXPECT_EQ(Occ.BlocksPerSM, 2u);
  EXPECT_EQ(Occ.WarpsPerBlock, 8u);
  EXPECT_EQ(Occ.Limiter, OccupancyLimiter::Registers);
  EXPECT_NEAR(efficiency(15150, std::ldexp(1.0, 24)), 3.93e-12, 0.005e-12);
  EXPECT_NEAR(utilization(15150, 769, Occ.WarpsPerBlock, Occ.BlocksPerSM), 227, 0.5);
}

TEST(Metrics, OneWarpAloneCoversNothing) { EXPECT_EQ(utilization(100, 10, 1, 1), 0.0); }

TEST(Metrics, UndefinedWhereAnInputIsNotPositive) {
  EXPECT_TRUE(std::isnan(efficiency(0, 1)));
  EXPECT_TRUE(std::isnan(efficiency(1, -1)));
  EXPECT_TRUE(std::isnan(efficiency(std::nan(""), 1)));
  EXPECT_TRUE(std::isnan(utilization(10, 0, 8, 2)));
  EXPECT_TRUE(std::isnan(utilization(0, 1, 8, 2)));
  EXPECT_TRUE(std::isnan(utilization(10, 1, 8, 0)));
  EXPECT_TRUE(std::isnan(utilization(10, 1, 0, 2)));
}

TEST(Metrics, SmallGridsLeaveSMsIdle) {
  EXPECT_EQ(loadBalance(132, 132), 1.0);
  EXPECT_EQ(loadBalance(33, 132), 0.25);
  EXPECT_EQ(loadBalance(198, 132), 0.75) << "half of the SMs get a second block";
  EXPECT_GT(loadBalance(100000, 132), 0.998);
  EXPECT_TRUE(std::isnan(loadBalance(0, 132)));
  EXPECT_TRUE(std::isnan(loadBalance(1, 0)));
  EXPECT_EQ(residentBlocks(32, 132, 4), 1u);
  EXPECT_EQ(residentBlocks(256, 132, 4), 2u);
  EXPECT_EQ(residentBlocks(1e9, 132, 4), 4u);
}
