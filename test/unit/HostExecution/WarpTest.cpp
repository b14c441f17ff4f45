//===- WarpTest.cpp - Shuffles, votes and the like -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostTesting.h"
#include "llvm/ADT/bit.h"
#include <numeric>

using namespace gpuprune;
using namespace gpuprune::test;

namespace {

constexpr int Threads = 96, Warp = 32;

/// 0, 7, 14, ... below 60.
std::vector<int> someValues() {
  std::vector<int> Values(Threads);
  for (int T = 0; T < Threads; ++T)
    Values[T] = T * 7 % 60;
  return Values;
}

/// One row of an output of \p Columns a row.
template <typename T> llvm::ArrayRef<T> row(const GuardedBuffer &Buffer, unsigned Row) {
  return llvm::ArrayRef<T>(Buffer.as<T>()).slice(Row * Threads, Threads);
}

TEST(WarpTest, Shuffles) {
  HostRun Run("warp.cu");
  ASSERT_TRUE(Run.Program);
  std::vector<int> In = someValues();
  GuardedBuffer &Out = Run.output<int>("out", 6 * Threads);
  Run.run("shuffles", {}, {Threads}, Run.buffer<int>("in", In), Out);
  for (int T = 0; T < Threads; ++T) {
    int Lane = T % Warp, Base = T - Lane;
    EXPECT_EQ(row<int>(Out, 0)[T], Lane >= 3 ? In[T - 3] : In[T]) << T;
    EXPECT_EQ(row<int>(Out, 1)[T], Lane % 16 + 5 < 16 ? In[T + 5] : In[T]) << T;
    EXPECT_EQ(row<int>(Out, 2)[T], In[Base + (Lane ^ 9)]) << T;
    EXPECT_EQ(row<int>(Out, 3)[T], In[Base + Lane / 8 * 8 + T * 7 % 8]) << T;
    EXPECT_EQ(row<int>(Out, 4)[T], In[T ^ 1]) << T;
    EXPECT_EQ(row<int>(Out, 5)[T], Lane < 31 ? In[T + 1] : In[T]) << T;
  }
}

TEST(WarpTest, PartialMasks) {
  HostRun Run("warp.cu");
  ASSERT_TRUE(Run.Program);
  std::vector<int> In = someValues();
  GuardedBuffer &Out = Run.output<int>("out", Threads);
  Run.run("partialMasks", {}, {Threads}, Run.buffer<int>("in", In), Out);
  for (int T = 0; T < Threads; ++T) {
    int Lane = T % Warp, Base = T - Lane, Expected;
    if (Lane < 16)
      Expected =
          In[T ^ 1] + std::accumulate(&In[Base], &In[Base] + 16, 0, [](int N, int V) { return N + (V & 1); });
    else if (Lane < 24)
      Expected = *std::max_element(&In[Base] + 16, &In[Base] + 24);
    else
      Expected = int(0xff000000u);
    EXPECT_EQ(Out.as<int>()[T], Expected + 31 - Lane) << T;
  }
}

TEST(WarpTest, LanesThatEndedAreNotWaitedFor) {
  HostRun Run("warp.cu");
  ASSERT_TRUE(Run.Program);
  std::vector<int> In = someValues();
  GuardedBuffer &Out = Run.output<int>("out", Threads);
  constexpr int N = 21;
  Run.run("someEnd", {}, {Warp}, Run.buffer<int>("in", In), Out, N);
  EXPECT_EQ(Out.as<int>()[0], std::accumulate(In.begin(), In.begin() + N, 0));
}

TEST(WarpTest, VotesMatchesAndReductions) {
  HostRun Run("warp.cu");
  ASSERT_TRUE(Run.Program);
  std::vector<int> In = someValues();
  GuardedBuffer &Out = Run.output<unsigned>("out", 11 * Threads);
  Run.run("votes", {}, {Threads}, Run.buffer<int>("in", In), Out);
  for (int T = 0; T < Threads; ++T) {
    llvm::ArrayRef<int> Lanes = llvm::ArrayRef<int>(In).slice(T / Warp * Warp, Warp);
    auto MaskOf = [&](auto Holds) {
      unsigned Mask = 0;
      for (int L = 0; L < Warp; ++L)
        Mask |= unsigned(Holds(Lanes[L])) << L;
      return Mask;
    };
    unsigned Xor = 0, And = ~0u, Or = 0, LargestNegated = 0;
    for (int V : Lanes) {
      Xor ^= V;
      And &= V;
      Or |= V;
      LargestNegated = std::max(LargestNegated, unsigned(-V));
    }
    EXPECT_EQ(row<unsigned>(Out, 0)[T], MaskOf([](int V) { return V > 10; }));
    EXPECT_EQ(row<unsigned>(Out, 1)[T], llvm::is_contained(Lanes, 7));
    EXPECT_EQ(row<unsigned>(Out, 2)[T], 1u);
    EXPECT_EQ(row<unsigned>(Out, 3)[T], MaskOf([&](int V) { return V % 4 == In[T] % 4; }));
    EXPECT_EQ(row<unsigned>(Out, 4)[T], 0xffffffffu + 1);
    EXPECT_EQ(row<unsigned>(Out, 5)[T], MaskOf([&](int V) { return V % 3 == In[T] % 3; }));
    EXPECT_EQ(row<unsigned>(Out, 6)[T], unsigned(std::accumulate(Lanes.begin(), Lanes.end(), 0)));
    EXPECT_EQ(row<unsigned>(Out, 7)[T], unsigned(-*std::max_element(Lanes.begin(), Lanes.end())));
    EXPECT_EQ(row<unsigned>(Out, 8)[T], LargestNegated);
    EXPECT_EQ(row<unsigned>(Out, 9)[T], Xor);
    EXPECT_EQ(row<unsigned>(Out, 10)[T], And + Or);
  }
}

} // namespace
