//===- InstructionThroughputTest.cpp - Rates of classes of instructions ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/InstructionThroughput.h"
#include "llvm/ADT/Sequence.h"
#include "gtest/gtest.h"
#include <set>

using namespace llvm;
using namespace gpuprune;

/// No kind of throughput is left without a class, so no column of the table is idle.
TEST(InstructionThroughput, EveryKindBelongsToAClass) {
  std::set<Throughput> Seen;
  for (unsigned Class : seq(0u, NumInstructionClasses))
    for (Throughput Kind : throughputsOf(InstructionClass(Class)))
      Seen.insert(Kind);
  EXPECT_EQ(Seen.size(), NumThroughputs);
}

TEST(InstructionThroughput, ArithmeticHasOneAndMemoryNone) {
  EXPECT_EQ(throughputsOf(InstructionClass::Fp32).front(), Throughput::Fp32);
  EXPECT_EQ(throughputsOf(InstructionClass::Int).front(), Throughput::IntAdd);
  EXPECT_EQ(throughputsOf(InstructionClass::Warp).front(), Throughput::Shuffle);
  for (InstructionClass Class :
       {InstructionClass::LoadGlobal, InstructionClass::StoreShared, InstructionClass::Branch,
        InstructionClass::Move, InstructionClass::IntDiv, InstructionClass::Matrix, InstructionClass::Other})
    EXPECT_TRUE(throughputsOf(Class).empty()) << instructionClassName(Class).str();
}

TEST(InstructionThroughput, CyclesOfAWarp) {
  KernelCounts Counts;
  Counts.add(InstructionClass::Fp32, 1000);
  Counts.add(InstructionClass::Special, 10);
  Counts.add(InstructionClass::Fp16, 5);
  Counts.add(InstructionClass::LoadGlobal, 7);
  const DeviceInfo &A100 = *cantFail(findDevice("A100")), &H200 = *cantFail(findDevice("H200"));
  EXPECT_EQ(cyclesPerWarp(A100, Counts, InstructionClass::Fp32), 500);
  EXPECT_EQ(cyclesPerWarp(H200, Counts, InstructionClass::Fp32), 250);
  EXPECT_EQ(cyclesPerWarp(H200, Counts, InstructionClass::Special), 20);
  EXPECT_EQ(cyclesPerWarp(H200, Counts, InstructionClass::IntMul), 0);
  EXPECT_EQ(cyclesPerWarp(H200, Counts, InstructionClass::LoadGlobal), std::nullopt);
  EXPECT_EQ(cyclesPerWarp(*cantFail(findDevice("G80")), Counts, InstructionClass::Fp16), std::nullopt);
}
