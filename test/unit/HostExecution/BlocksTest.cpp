//===- BlocksTest.cpp - Shape, barriers and shared memory of blocks ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostTesting.h"

using namespace gpuprune;
using namespace gpuprune::test;

namespace {

TEST(BlocksTest, EveryThreadKnowsItsPlace) {
  HostRun Run("blocks.cu");
  ASSERT_TRUE(Run.Program);
  Dim3 Grid{3, 2, 2}, Block{5, 3, 2};
  GuardedBuffer &Out = Run.output<uint32_t>("out", 6 * Grid.volume() * Block.volume());
  EXPECT_EQ(Run.run("geometry", Grid, Block, Out).Threads, uint64_t(Grid.volume() * Block.volume()));
  const uint32_t *At = Out.as<uint32_t>().data();
  for (unsigned B = 0; B < Grid.volume(); ++B)
    for (unsigned T = 0; T < Block.volume(); ++T) {
      for (const auto &[Index, Extent] : {std::pair{B, Grid}, std::pair{T, Block}}) {
        EXPECT_EQ(At[0], Index % Extent.X);
        EXPECT_EQ(At[1], Index / Extent.X % Extent.Y);
        EXPECT_EQ(At[2], Index / Extent.X / Extent.Y);
        At += 3;
      }
    }
}

TEST(BlocksTest, BarriersCountVotes) {
  HostRun Run("blocks.cu");
  ASSERT_TRUE(Run.Program);
  constexpr int Threads = 100;
  std::vector<int> In(Threads);
  for (int T = 0; T < Threads; ++T)
    In[T] = T == 77 ? 12345 : T;
  GuardedBuffer &Out = Run.output<int>("out", 3 * Threads);
  Run.run("barrierVotes", {}, {Threads}, Run.buffer<int>("in", In), Out);
  int Multiples = llvm::count_if(In, [](int V) { return V % 3 == 0; });
  for (int T = 0; T < Threads; ++T) {
    EXPECT_EQ(Out.as<int>()[3 * T], Multiples);
    EXPECT_EQ(Out.as<int>()[3 * T + 1], 0);
    EXPECT_EQ(Out.as<int>()[3 * T + 2], 1);
  }
}

TEST(BlocksTest, DynamicSharedMemory) {
  HostRun Run("blocks.cu");
  ASSERT_TRUE(Run.Program);
  constexpr int Threads = 64, Blocks = 3;
  std::vector<int> Values(Threads * Blocks);
  for (unsigned I = 0; I < Values.size(); ++I)
    Values[I] = I * I;
  GuardedBuffer &Data = Run.buffer<int>("data", Values);
  HostLaunch Launch = Run.launchOf("reverse", {Blocks}, {Threads}, Data);
  Launch.SharedBytes = Threads * sizeof(int);
  launched(*Run.Program, Launch);
  for (int B = 0; B < Blocks; ++B)
    for (int T = 0; T < Threads; ++T)
      EXPECT_EQ(Data.as<int>()[B * Threads + T], Values[B * Threads + Threads - 1 - T] + 200);
}

TEST(BlocksTest, NamedBarriersAndArrivals) {
  HostRun Run("blocks.cu");
  ASSERT_TRUE(Run.Program);
  GuardedBuffer &Out = Run.output<int>("out", 64);
  Run.run("named", {}, {128}, Out);
  for (int T = 0; T < 64; ++T)
    EXPECT_EQ(Out.as<int>()[T], 3 * T);
}

TEST(BlocksTest, ASeedShufflesThreadsAndNotResults) {
  HostRun Run("blocks.cu");
  ASSERT_TRUE(Run.Program);
  GuardedBuffer &Out = Run.output<int>("out", 64);
  HostLaunch Launch = Run.launchOf("named", {}, {128}, Out);
  for (uint64_t Seed : {1, 2, 3}) {
    Launch.ScheduleSeed = Seed;
    llvm::fill(Out.as<int>(), -1);
    launched(*Run.Program, Launch);
    for (int T = 0; T < 64; ++T)
      EXPECT_EQ(Out.as<int>()[T], 3 * T) << "seed " << Seed;
  }
}

TEST(BlocksTest, ALockWithinABlock) {
  HostRun Run("blocks.cu");
  ASSERT_TRUE(Run.Program);
  GuardedBuffer &Counter = Run.buffer<int>("counter", {0}), &Lock = Run.buffer<int>("lock", {0});
  Run.run("locked", {2}, {64}, Counter, Lock);
  EXPECT_EQ(Counter.as<int>()[0], 128);
}

TEST(BlocksTest, ABarrierThatSomeNeverReachIsAFault) {
  HostRun Run("blocks.cu");
  ASSERT_TRUE(Run.Program);
  HostFault Fault = Run.fault("halfWaits", {4}, {64}, Run.output<int>("out", 64));
  EXPECT_EQ(Fault.Kind, FaultKind::Barrier);
  EXPECT_EQ(Fault.Block, (Dim3{0, 0, 0}));
  EXPECT_NE(Fault.Message.find("threads 0-39 wait at barrier 0; 24 of the block's 64 threads have ended"),
            std::string::npos)
      << Fault.Message;
}

TEST(BlocksTest, AWarpOperationOutsideOfItsMaskIsAFault) {
  HostRun Run("blocks.cu");
  ASSERT_TRUE(Run.Program);
  HostFault Fault = Run.fault("foreignMask", {}, {32}, Run.output<int>("out", 32));
  EXPECT_EQ(Fault.Kind, FaultKind::WarpMask);
  EXPECT_EQ(Fault.Thread, (Dim3{16, 0, 0}));
  EXPECT_NE(Fault.Message.find("lane 16 calls a warp operation with mask 0x0000ffff"), std::string::npos)
      << Fault.Message;
}

} // namespace
