//===- DispatchThreadsTest.cpp - Threads that launch one kernel at once ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeployTesting.h"
#include "DispatchTesting.h"
#include "DispatchUnderTest.h"
#include "gtest/gtest.h"
#include <latch>
#include <thread>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

namespace {

constexpr unsigned Threads = 8, Rounds = 100, Launches = 10;

TuningRecord sharedRecord() {
  TuningRecord R = shortRecord();
  R.Contract.GridDivisor = {4, 1, 1};
  R.Contract.SharedCopies = 2;
  R.Contract.SharedCarveout = 50;
  R.Contract.Hidden = {HiddenParameter::GridX, HiddenParameter::SharedBytes};
  return R;
}

/// What one thread has seen.
struct Seen {
  unsigned Tuned = 0, Original = 0, Wrong = 0;
};

Seen judge(const DispatchedKernel &K, const std::vector<FakeLaunch> &All, const AuthorLaunch &Author) {
  Seen S;
  PhysicalLaunch Physical = cantFail(apply(Author, sharedRecord().Contract, 1));
  for (const FakeLaunch &L : All)
    if (L.Kernel == &K.Original && L.Grid[0] == Author.Grid.X && L.Shared == Author.SharedBytes)
      ++S.Original;
    else if (L.Kernel == &K.Tuned[0] && L.Grid[0] == Physical.Grid.X && L.Shared == Physical.SharedBytes &&
             L.Hidden == std::vector<uint32_t>{uint32_t(Author.Grid.X), uint32_t(Author.SharedBytes)})
      ++S.Tuned;
    else
      ++S.Wrong;
  return S;
}

/// Eight threads whose first launches of \p K are at once, with the bytes that \p SharedOf says of a thread.
Seen launchAtOnce(DispatchedKernel &K, function_ref<uint64_t(unsigned)> SharedOf) {
  std::latch Start(Threads);
  std::vector<Seen> OfThreads(Threads);
  std::vector<std::thread> Running;
  for (unsigned T = 0; T != Threads; ++T)
    Running.emplace_back([&, T, Shared = SharedOf(T)] {
      AuthorLaunch Author = {{257 + int64_t(T), 1, 1}, {256, 1, 1}, Shared};
      int Values[3] = {};
      void *Arguments[] = {&Values[0], &Values[1], &Values[2]};
      Start.arrive_and_wait();
      for (unsigned L = 0; L != Launches; ++L)
        if (K.launch(Author, Arguments) || fakeThread().LastError)
          ++OfThreads[T].Wrong;
      Seen S = judge(K, fakeThread().Launches, Author);
      OfThreads[T].Tuned = S.Tuned;
      OfThreads[T].Original = S.Original;
      OfThreads[T].Wrong += S.Wrong;
    });
  Seen All;
  for (unsigned T = 0; T != Threads; ++T) {
    Running[T].join();
    All.Tuned += OfThreads[T].Tuned;
    All.Original += OfThreads[T].Original;
    All.Wrong += OfThreads[T].Wrong;
  }
  return All;
}

} // namespace

TEST(DispatchThreads, FirstLaunchesAtOnceAreAllTuned) {
  for (unsigned Round = 0; Round != Rounds; ++Round) {
    forgetModeAndKernels();
    DispatchedKernel K({sharedRecord()});
    Seen All = launchAtOnce(K, [](unsigned) { return 40000; });
    EXPECT_EQ(All.Wrong, 0u);
    EXPECT_EQ(All.Tuned, Threads * Launches);
    EXPECT_EQ(K.Tuned[0].Carveout[0], 50);
  }
}

// Threads that ask for different amounts of shared memory may be in each other's way; each launch is one of
// the two kernels' all the same, and counted.
TEST(DispatchThreads, DifferentLaunchesAtOnceAreRight) {
  for (unsigned Round = 0; Round != Rounds; ++Round) {
    forgetModeAndKernels();
    traceLaunches();
    DispatchedKernel K({sharedRecord()});
    Seen All = launchAtOnce(K, [](unsigned T) { return 4096 * (T + 1); });
    EXPECT_EQ(All.Wrong, 0u);
    EXPECT_EQ(All.Tuned + All.Original, Threads * Launches);
    EXPECT_GE(All.Tuned, Threads * Launches / 2);
    EXPECT_EQ(K.Counts[GPUPRUNE_TUNED], All.Tuned);
    EXPECT_EQ(K.Counts[GPUPRUNE_FAILED], All.Original);
  }
  forgetModeAndKernels();
}

TEST(DispatchThreads, AttributesMayBeSetMeanwhile) {
  for (unsigned Round = 0; Round != Rounds; ++Round) {
    forgetModeAndKernels();
    DispatchedKernel K({sharedRecord()});
    std::thread Setter([&] {
      for (int Percent = 0; Percent != 50; ++Percent)
        K.setAttribute(9, Percent);
    });
    Seen All = launchAtOnce(K, [](unsigned) { return 1024; });
    Setter.join();
    EXPECT_EQ(All.Wrong, 0u);
    EXPECT_EQ(All.Tuned, Threads * Launches);
  }
}
