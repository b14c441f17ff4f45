//===- DispatchGridTest.cpp - Grids that depend on how much there is to do --===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeployTesting.h"
#include "DispatchTesting.h"
#include "DispatchUnderTest.h"
#include "gtest/gtest.h"

using namespace gpuprune;
using namespace gpuprune::test;

TEST(DispatchGrid, MoreBlocksThanTheAuthorsNeedTwoIterationsEach) {
  forgetModeAndKernels();
  fakeThread() = {};
  TuningRecord R = shortRecord();
  R.Contract.GridDivisor = {2, 1, 1};
  R.Contract.GridBlocks = 4;
  R.Contract.GridEnd = GridBound{1, 32, true, true, 3};
  R.Arguments = {2, {}};
  DispatchedKernel K({R});
  int32_t Blocks = 2 * 4 * int32_t(fakeMultiprocessors(fakeThread().Device));
  auto Launched = [&](int32_t Count, int64_t Grid) {
    void *Given = nullptr;
    void *Two[] = {&Given, &Count};
    fakeThread().Launches.clear();
    EXPECT_EQ(K.launch({{Grid, 3, 1}, {256, 1, 1}}, Two), FakeSuccess);
    return fakeThread().Launches.size() == 1 && fakeThread().Launches.front().Kernel == &K.Tuned[0];
  };
  int32_t Enough = 2 * Blocks * 3 * 256;
  EXPECT_TRUE(Launched(Enough, 2));
  EXPECT_FALSE(Launched(Enough - 1, 2));
  EXPECT_FALSE(Launched(-1, 2)) << "no iteration";
  EXPECT_TRUE(Launched(Enough - 1, Blocks)) << "there are no fewer in the author's launch";
  EXPECT_FALSE(Launched(Enough - 1, Blocks - 1));
}

TEST(DispatchGrid, ArgumentsOfAKernelThatIsNotThereAreNotRead) {
  forgetModeAndKernels();
  fakeThread() = {};
  TuningRecord R = shortRecord();
  R.Arguments = {200, {}};
  R.Conditions.LoopEnd = LeastLoopEnd{150, 64, true, 1};
  DispatchedKernel K({R});
  K.Tuned[0].Registers = int(R.Registers) + 1;
  EXPECT_EQ(K.launch({{4096, 1, 1}, {256, 1, 1}}, nullptr), FakeSuccess);
  ASSERT_EQ(fakeThread().Launches.size(), 1u);
  EXPECT_EQ(fakeThread().Launches.front().Kernel, &K.Original);
}

TEST(DispatchGrid, LoopsThatEndSoonerThanPaysAreTheAuthors) {
  forgetModeAndKernels();
  fakeThread() = {};
  auto Launched = [](LeastLoopEnd End, auto Value) {
    TuningRecord R = shortRecord();
    R.Arguments = {2, {}};
    R.Conditions.LoopEnd = End;
    DispatchedKernel K({R});
    int32_t Other = 0;
    void *Two[] = {&Other, &Value};
    fakeThread().Launches.clear();
    EXPECT_EQ(K.launch({{4096, 1, 1}, {256, 1, 1}}, Two), FakeSuccess);
    return fakeThread().Launches.size() == 1 && fakeThread().Launches.front().Kernel == &K.Tuned[0];
  };
  EXPECT_TRUE(Launched({1, 32, true, 1000}, int32_t(1000)));
  EXPECT_FALSE(Launched({1, 32, true, 1000}, int32_t(999)));
  EXPECT_FALSE(Launched({1, 32, true, 1000}, int32_t(-1)));
  EXPECT_TRUE(Launched({1, 32, false, 1000}, uint32_t(UINT32_MAX)));
  EXPECT_TRUE(Launched({1, 64, true, int64_t(1) << 33}, int64_t(1) << 33));
  EXPECT_FALSE(Launched({1, 64, true, int64_t(1) << 33}, (int64_t(1) << 33) - 1));
  EXPECT_FALSE(Launched({1, 64, true, 1}, INT64_MIN));
  EXPECT_TRUE(Launched({1, 64, false, UINT64_MAX}, UINT64_MAX));
  EXPECT_FALSE(Launched({0, 32, true, 1}, int32_t(7))) << "another argument is 0";
  EXPECT_TRUE(Launched({0, 32, true, 0}, int32_t(7)));
}
