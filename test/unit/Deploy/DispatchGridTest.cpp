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
