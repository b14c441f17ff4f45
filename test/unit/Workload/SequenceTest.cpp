//===- SequenceTest.cpp - One launch of a sequence --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Workload/Sequence.h"
#include "../ExpectedTesting.h"
#include "gpuprune/Workload/Problem.h"

using namespace llvm;
using namespace gpuprune;

namespace {

constexpr StringLiteral Yaml = R"yaml(
source: k.cu
defines: { TILE: [16, 8] }
sizes: { tune: { n: 64 }, check: { n: 32 } }
buffers:
  last: { type: f32, count: n, role: out }
  first: { type: f32, count: n, fill: zero, role: in }
  middle: { type: f32, count: n, role: out }
  table: { type: f32, count: 4, fill: zero, role: in, symbol: table }
launches:
  - { kernel: one, grid: [ "cdiv(n, block.x)" ], block: [ 16 ], arguments: [ first, middle ]
}
  - { kernel: two, grid: [ "cdiv(n, block.x)" ], block: [ 32 ], arguments: [ middle, last, { i32: block.x } ] }
work: { byte: n }
)yaml";

std::string buffersOf(const Workload &W) {
  std::string Names;
  for (const BufferSpec &B : W.Buffers)
    Names += B.Name + " ";
  return Names;
}

TEST(Sequence, EndsWithTheLaunchAndHasItsBuffers) {
  Workload All = test::valueOf(parseWorkload(Yaml, "w.yaml"));
  Workload First = upToLaunch(All, 0), Second = upToLaunch(All, 1);
  EXPECT_EQ(First.tuned().Kernel, "one");
  EXPECT_EQ(buffersOf(First), "first middle table ");
  EXPECT_EQ(First.tuned().Arguments[0].Buffer, 0u);
  EXPECT_EQ(First.tuned().Arguments[1].Buffer, 1u);
  EXPECT_EQ(Second.tuned().Kernel, "two");
  EXPECT_EQ(buffersOf(Second), "last first middle table ");
  EXPECT_EQ(Second.tuned().Arguments[1].Buffer, 0u);
  EXPECT_EQ(First.Defines.front().Values, std::vector<std::string>{"16"});
  EXPECT_FALSE(Second.Work);
}

TEST(Sequence, AnotherBlockIsThatOfTheTunedLaunchAlone) {
  Workload W = upToLaunch(test::valueOf(parseWorkload(Yaml, "w.yaml")), 1);
  ResolvedProblem P = test::valueOf(resolve(W, W.TuneSize, {}, Dim3{8, 1, 1}));
  EXPECT_EQ(P.earlier().size(), 1u);
  EXPECT_EQ(P.earlier().front().Block, (Dim3{16, 1, 1}));
  EXPECT_EQ(P.earlier().front().Grid, (Dim3{4, 1, 1}));
  EXPECT_EQ(P.tuned().Block, (Dim3{8, 1, 1}));
  EXPECT_EQ(P.tuned().Grid, (Dim3{8, 1, 1}));
  EXPECT_EQ(P.tuned().Arguments[2].Bits, 8u);
}

TEST(Sequence, OneLaunchStaysAsItIs) {
  Workload W =
      test::valueOf(parseWorkload("source: k.cu\nkernel: k\ndefines: { T: [1, 2] }\n"
                                  "sizes: { tune: { n: 4 }, check: { n: 2 } }\ngrid: [n]\nblock: [32]\n"
                                  "buffers: { o: { type: f32, count: n, role: out } }\n"
                                  "arguments: [o]\nwork: { byte: n }\n",
                                  "w.yaml"));
  W = upToLaunch(W, 0);
  EXPECT_EQ(W.Defines.front().Values.size(), 2u);
  EXPECT_TRUE(W.Work);
}

} // namespace
