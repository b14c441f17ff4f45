//===- AsyncCopyTest.cpp - cp.async completes when it is waited for ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostTesting.h"
#include <cmath>

using namespace gpuprune;
using namespace gpuprune::test;

namespace {

constexpr int Threads = 32, Floats = 4;

std::vector<float> numbers(int Count) {
  std::vector<float> Values(Count);
  for (int I = 0; I < Count; ++I)
    Values[I] = I + 0.5f;
  return Values;
}

/// Where the thread's float came from: from the other end of the step.
int mirrored(int Index) {
  int Step = Index / (Threads * Floats), Thread = Index / Floats % Threads;
  return (Step * Threads + Threads - 1 - Thread) * Floats + Index % Floats;
}

TEST(AsyncCopyTest, ThePipelineCopies) {
  HostRun Run("async.cu");
  ASSERT_TRUE(Run.Program);
  constexpr int Steps = 5, Count = Steps * Threads * Floats;
  std::vector<float> In = numbers(Count);
  GuardedBuffer &Out = Run.output<float>("out", Count);
  Run.run("pipelined", {}, {Threads}, Run.buffer<float>("in", In), Out, Steps);
  for (int I = 0; I < Count; ++I)
    EXPECT_EQ(Out.as<float>()[I], In[mirrored(I)]) << I;
}

TEST(AsyncCopyTest, WithoutAWaitNothingIsThere) {
  HostRun Run("async.cu");
  ASSERT_TRUE(Run.Program);
  constexpr int Count = Threads * Floats;
  GuardedBuffer &Out = Run.buffer<float>("out", numbers(Count));
  Run.run("impatient", {}, {Threads}, Run.buffer<float>("in", numbers(Count)), Out);
  for (float F : Out.as<float>())
    EXPECT_TRUE(std::isnan(F));
}

TEST(AsyncCopyTest, WhatIsNotTakenFromTheSourceIsZero) {
  HostRun Run("async.cu");
  ASSERT_TRUE(Run.Program);
  constexpr int Count = Threads * Floats;
  std::vector<float> In = numbers(Count);
  GuardedBuffer &Out = Run.output<float>("out", Count);
  Run.run("partly", {}, {Threads}, Run.buffer<float>("in", In), Out);
  for (int I = 0; I < Count; ++I)
    EXPECT_EQ(Out.as<float>()[I], I % Floats < 2 ? In[mirrored(I)] : 0) << I;
}

} // namespace
