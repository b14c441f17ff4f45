//===- GateTest.cpp - One launch alone -----------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Gate.h"
#include "gtest/gtest.h"
#include <atomic>
#include <thread>

using namespace gpuprune;
using namespace std::chrono_literals;

namespace {

TEST(GateTest, RunsALaunchAlone) {
  Gate G(10s, 10s);
  std::atomic<int> Inside = 0, Wrong = 0;
  std::vector<std::thread> Threads;
  for (int T = 0; T < 4; ++T)
    Threads.emplace_back([&, T] {
      for (int I = 0; I < 200; ++I) {
        if (T == 0 && G.enterAlone()) {
          Wrong += Inside != 0;
          std::this_thread::yield();
          Wrong += Inside != 0;
          G.leaveAlone();
        }
        G.enter();
        ++Inside;
        --Inside;
        G.leave();
      }
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(Wrong, 0);
}

TEST(GateTest, LetsOthersGoOnAfterTheTimeLimit) {
  Gate G(20ms, 10s);
  ASSERT_TRUE(G.enterAlone());
  EXPECT_FALSE(G.broken());
  std::thread([&] {
    G.enter();
    G.leave();
  }).join();
  EXPECT_TRUE(G.broken());
  G.leaveAlone();
  ASSERT_TRUE(G.enterAlone());
  EXPECT_FALSE(G.broken());
  G.leaveAlone();
}

TEST(GateTest, DoesNotWaitForCallsThatDoNotEnd) {
  Gate G(10s, 20ms);
  G.enter();
  EXPECT_FALSE(G.enterAlone());
  G.enter(); // Not kept waiting.
  G.leave();
  G.leave();
  EXPECT_TRUE(G.enterAlone());
  EXPECT_FALSE(G.enterAlone()); // Only one at a time.
  G.leaveAlone();
}

} // namespace
