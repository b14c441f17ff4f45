//===- LostLaunchesTest.cpp - Launches whose results reach nothing ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Check/LostLaunches.h"
#include "ExpectedTesting.h"

using namespace llvm;
using namespace gpuprune;
using test::valueOf;

namespace {

constexpr ArgumentUse Reads{true, false}, Writes{false, true};

/// Launches of kernels that read their first argument and write their second one.
std::vector<std::string> lost(StringRef Steps, ArgumentUse Second = Writes) {
  std::string Text = ("source: k.cu\nsizes: { tune: { n: 64, m: 5 }, check: [ { n: 16, m: 3 } ] }\nbuffers:\n"
                      "  x: { type: i32, count: n, fill: zero, role: in }\n"
                      "  now: { type: i32, count: n, fill: zero, role: inout }\n"
                      "  next: { type: i32, count: n, role: temp }\n"
                      "  y: { type: i32, count: n, role: out }\n"
                      "  z: { type: i32, count: n, role: out }\n"
                      "launches:\n" +
                      Steps +
                      // A use of each buffer, which the workload asks for.
                      "  - { kernel: k, grid: [ 1 ], block: [ 64 ], arguments: [ x, z ] }\n"
                      "  - { kernel: k, grid: [ 1 ], block: [ 64 ], arguments: [ x, now ] }\n"
                      "  - { kernel: k, grid: [ 1 ], block: [ 64 ], arguments: [ x, y ] }\n")
                         .str();
  Workload W = valueOf(parseWorkload(Text, "w.yaml"));
  std::vector<std::vector<ArgumentUse>> Uses(W.Launches.size(), {Reads, Second});
  return lostLaunches(W, valueOf(resolve(W, W.TuneSize)), Uses);
}

std::string launch(StringRef Name, StringRef From, StringRef To, StringRef Indent = "  ") {
  return (Indent + "- { kernel: " + Name + ", grid: [ 1 ], block: [ 64 ], arguments: [ " + From + ", " + To +
          " ] }\n")
      .str();
}

const std::string Repeat = "  - repeat: { name: t, from: 1, to: m }\n    steps:\n";
const std::string Ends = " and which is not compared at the end";

TEST(LostLaunches, AForgottenSwap) {
  std::string Steps = launch("edge", "x", "now", "      ") + launch("step", "now", "next", "      ");
  std::string Last = launch("copy", "now", "y");
  EXPECT_EQ(
      lost(Repeat + Steps + Last),
      std::vector<std::string>{"launch 2 ('step') writes 'next' alone, which no later launch reads" + Ends});
  EXPECT_TRUE(lost(Repeat + Steps + "      - swap: [ now, next ]\n" + Last).empty());
}

TEST(LostLaunches, WhatOnlyALostLaunchReadsIsLost) {
  std::vector<std::string> Found =
      lost(launch("a", "x", "next") + launch("b", "next", "next") + launch("c", "x", "y"));
  ASSERT_EQ(Found.size(), 2u);
  EXPECT_EQ(Found[0],
            "launch 1 ('a') writes 'next' alone, which only launches read whose own results are lost" + Ends);
  EXPECT_EQ(Found[1], "launch 2 ('b') writes 'next' alone, which no later launch reads" + Ends);
  EXPECT_TRUE(lost(launch("a", "x", "next") + launch("b", "next", "y")).empty());
}

TEST(LostLaunches, OneIterationOfUseIsEnough) {
  // The last iteration prepares one that does not come.
  EXPECT_TRUE(lost(Repeat + launch("use", "next", "now", "      ") + launch("make", "now", "next", "      "))
                  .empty());
}

TEST(LostLaunches, WhatMayBeReadIsNotLost) {
  EXPECT_EQ(lost(launch("a", "x", "next") + launch("b", "x", "y"), ArgumentUse()).size(), 1u);
  EXPECT_TRUE(
      lost(launch("a", "x", "next") + launch("b", "y", "next") + launch("c", "next", "y"), ArgumentUse())
          .empty());
}

} // namespace
