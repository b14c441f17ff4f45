//===- KernelModelTest.cpp - The time of a kernel from its machine code -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Model/KernelModel.h"
#include "HandCode.h"
#include "gpuprune/Model/ClosedQueue.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuprune;
using namespace gpuprune::hand;
using namespace llvm;

namespace {

const DeviceInfo &hopper() { return *cantFail(findDevice("sm_90")); }

/// Eight FFMAs and EXIT of 264 blocks of 256 threads, two of which an SM gets, both at a time; of no access.
ModelledTime ofArithmetic(const MemoryProfile &Memory = {}, const KernelCounts &Counts = {}) {
  std::vector<hand::Instruction> Instructions(8, hand::Instruction{Ffma, 4});
  Instructions.push_back({Exit, 5});
  return cantFail(
      modelTime(code(Instructions), flow({{1}}), Counts, Memory, {{264, 1, 1}, {256, 1, 1}, 8}, hopper()));
}

} // namespace

TEST(KernelModel, termsOfArithmetic) {
  ModelledTime T = ofArithmetic();
  EXPECT_EQ(T[ModelTerm::Latency], 37);         // 8 * 4 + 5, all blocks at once.
  EXPECT_EQ(T[ModelTerm::Issue], 9 * 16 / 4.0); // 16 warps over 4 schedulers.
  EXPECT_EQ(T[ModelTerm::Fma], 8 * 16 / 4.0);
  EXPECT_EQ(T[ModelTerm::Dram], 0);
  EXPECT_EQ(T[ModelTerm::Blocks], 264);
  EXPECT_EQ(T.Bound, ModelTerm::Blocks);
  double Sum = std::pow(264, 4) + std::pow(37, 4) + std::pow(36, 4) + std::pow(32, 4);
  EXPECT_NEAR(T.Ms, std::pow(Sum, 0.25) / 1.98e6, 1e-12);
  EXPECT_NEAR(T.without(ModelTerm::Latency), std::pow(Sum - std::pow(37, 4), 0.25) / 1.98e6, 1e-12);
  EXPECT_FALSE(T.IsEstimated);
}

TEST(KernelModel, warpsQueueForPipes) {
  // Of four warps of a scheduler each spends 9 cycles in issue, 8 in the FMA pipe and 37 - 17 elsewhere.
  double Queued = closedQueueTime({36, 32}, 4 * 37 - (36 + 32), 4);
  EXPECT_NEAR(ofArithmetic().QueuedMs, std::pow(std::pow(264, 4) + std::pow(Queued, 4), 0.25) / 1.98e6,
              1e-12);
}

TEST(KernelModel, divergenceRepeatsInstructions) {
  MemoryProfile Memory;
  Memory.Divergence = 2;
  EXPECT_EQ(ofArithmetic(Memory)[ModelTerm::Issue], 72);
  // What was counted of whole threads goes before what was traced.
  KernelCounts Counts;
  Counts.Warps = {.Divergence = 3};
  EXPECT_EQ(ofArithmetic(Memory, Counts)[ModelTerm::Issue], 108);
}

TEST(KernelModel, unevenBlocksLeaveAnSMEmptyAtTheEnd) {
  KernelCounts Counts;
  Counts.Warps = {.Divergence = 2, .Variation = 3};
  ModelledTime T = ofArithmetic({}, Counts); // One wave.
  EXPECT_EQ(T[ModelTerm::Issue], 36 * 2 * (1 + 3 / 2.0));
  EXPECT_EQ(T[ModelTerm::Latency], 37 * 2 * (1 + 3 / 2.0));
  EXPECT_EQ(T[ModelTerm::Blocks], 264);
}

TEST(KernelModel, termsOfMemory) {
  // One coalesced load of a thread: four sectors in one line, all missed, in the sample of a warp.
  MemoryProfile Memory;
  Memory.Threads = 32;
  Memory.LoadedBytes = 4.8e6;
  Memory[AccessGroup::GlobalLoad] = {
      .LaneAccesses = 32, .Requests = 1, .Sectors = 4, .Lines = 1, .MissedSectors = 4, .MissedRequests = 1};
  KernelCounts Counts;
  Counts[InstructionClass::LoadGlobal] = 1;
  ModelledTime T = ofArithmetic(Memory, Counts);
  EXPECT_EQ(T[ModelTerm::L1], 16); // One line of each of 16 warps.
  EXPECT_EQ(T[ModelTerm::L2Port], 16 * 4 * 32 / 64.0);
  EXPECT_EQ(T[ModelTerm::L2], 264 * 8 * 4 * 32 / 5120.0);
  EXPECT_NEAR(T[ModelTerm::Dram], 4.8e6 / 4800 * 1.98, 1e-9); // 1000 ns.
  EXPECT_EQ(T.Bound, ModelTerm::Dram);
}

TEST(KernelModel, unknownCodeIsAnEstimate) {
  KernelCode Code = code({{Exit, 5}});
  Code.Estimated["UBLKCP"] = 1;
  ModelledTime T = cantFail(modelTime(Code, flow({{1}}), {}, {}, {{1, 1, 1}, {32, 1, 1}, 1}, hopper()));
  EXPECT_TRUE(T.IsEstimated);
  EXPECT_EQ(T.Notes, std::vector<std::string>{"UBLKCP is not modelled"});
}

TEST(KernelModel, aDeviceWithoutRatesIsRefused) {
  Expected<ModelledTime> T = modelTime(code({{Exit}}), flow({{1}}), {}, {}, {{1, 1, 1}, {32, 1, 1}, 1},
                                       *cantFail(findDevice("sm_75")));
  ASSERT_FALSE(T);
  EXPECT_EQ(toString(T.takeError()), "no rates are known of sm_75, so that a kernel's time cannot be "
                                     "modelled; they are known of sm_80, sm_90");
}
