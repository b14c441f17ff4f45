//===- SpeedOfLightTest.cpp - The least time that a kernel can take ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Model/SpeedOfLight.h"
#include "gtest/gtest.h"

using namespace gpuprune;

namespace {

ModelledTime timeOf(double Latency, double Fma, double Dram) {
  ModelledTime T;
  T.ClockGHz = 2;
  T[ModelTerm::Latency] = Latency;
  T[ModelTerm::Fma] = Fma;
  T[ModelTerm::Dram] = Dram;
  return T;
}

} // namespace

TEST(SpeedOfLight, IsTheBusiestUnitAndNoLatency) {
  EXPECT_EQ(speedOfLight(timeOf(9e6, 2e6, 1e6), 2000), (SpeedOfLight{1, ModelTerm::Fma, 2000}));
}

TEST(SpeedOfLight, MemoryTakesAsLongAtAnyClock) {
  // A million cycles at the two GHz of the model are half a millisecond.
  EXPECT_EQ(speedOfLight(timeOf(0, 2e6, 1e6), 1000), (SpeedOfLight{2, ModelTerm::Fma, 1000}));
  EXPECT_EQ(speedOfLight(timeOf(0, 0.4e6, 1e6), 1000), (SpeedOfLight{0.5, ModelTerm::Dram, 1000}));
}

TEST(SpeedOfLight, OfWhatIsNotReadThereIsNone) {
  ModelledTime Estimate = timeOf(0, 2e6, 1e6);
  Estimate.IsEstimated = true;
  EXPECT_EQ(speedOfLight(Estimate, 1000), std::nullopt);
  EXPECT_EQ(speedOfLight(timeOf(5, 0, 0), 1000), std::nullopt);
}
