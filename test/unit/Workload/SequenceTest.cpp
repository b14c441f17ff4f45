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

constexpr StringLiteral Swapping = R"yaml(
source: k.cu
sizes: { tune: { n: 64 }, check: [ { n: 32 }, { n: 8 } ] }
buffers:
  a: { type: f32, count: n, fill: iota, role: inout }
  b: { type: f32, count: 2*n - 32, role: temp }
  c: { type: f32, count: 64, role: out }
launches:
  - { kernel: one, grid: [ 1 ], block: [ 16 ], arguments: [ a, b ] }
  - swap: [ a, b ]
  - { kernel: two, grid: [ 1 ], block: [ 32 ], arguments: [ a, b, { buffer: b, offset: n - 1 }, c ] }
)yaml";

std::string swapping(StringRef From, StringRef To) {
  std::string Text = Swapping.str();
  Text.replace(Text.find("2*n - 32"), 8, "n");
  size_t At = Text.find(From.str());
  EXPECT_NE(At, std::string::npos) << From.str();
  return Text.replace(At, From.size(), To.str());
}

std::string errorOf(const std::string &Text) {
  return test::inputErrorOf(parseWorkload(Text, "w.yaml").takeError());
}

TEST(Sequence, ASwapGivesEachNameTheOthersMemory) {
  Workload W = test::valueOf(parseWorkload(swapping("n: 8", "n: 16"), "w.yaml"));
  ASSERT_EQ(W.Steps.size(), 3u);
  EXPECT_EQ(W.Launches.size(), 2u);
  ResolvedProblem P = test::valueOf(resolve(W, W.TuneSize));
  ASSERT_EQ(P.Launches.size(), 2u);
  EXPECT_EQ(P.Launches[0].Arguments[0].Buffer, 0u);
  EXPECT_EQ(P.Launches[0].Arguments[1].Buffer, 1u);
  EXPECT_EQ(P.Launches[1].Spec, 1u);
  EXPECT_EQ(P.Launches[1].Arguments[0].Buffer, 1u);
  EXPECT_EQ(P.Launches[1].Arguments[1].Buffer, 0u);
  EXPECT_EQ(P.Launches[1].Arguments[2].Buffer, 0u);
  EXPECT_EQ(P.Launches[1].Arguments[2].Offset, 63u * 4);
  EXPECT_EQ(P.Launches[1].Arguments[3].Buffer, 2u);
}

TEST(Sequence, WhatIsFilledHasTheFirstNamesAndWhatIsComparedTheLast) {
  Workload W = test::valueOf(parseWorkload(swapping("n: 8", "n: 16"), "w.yaml"));
  ResolvedProblem P = test::valueOf(resolve(W, W.TuneSize));
  EXPECT_EQ(P.Buffers[0].FirstName, "a");
  EXPECT_EQ(P.Buffers[0].Name, "b");
  EXPECT_EQ(P.Buffers[0].Fill.FillKind, FillSpec::Kind::Iota);
  EXPECT_EQ(P.Buffers[0].Role, BufferRole::InOut);
  EXPECT_TRUE(P.Buffers[0].Temporary) << "b is, when all is done";
  EXPECT_EQ(P.Buffers[1].FirstName, "b");
  EXPECT_EQ(P.Buffers[1].Name, "a");
  EXPECT_EQ(P.Buffers[1].Role, BufferRole::Out) << "it begins with a pattern";
  EXPECT_FALSE(P.Buffers[1].Temporary) << "a is a result";
  EXPECT_EQ(P.Buffers[2].Name, "c");
}

TEST(Sequence, StepsBehindTheTunedLaunchAreNone) {
  std::string Text = swapping("n: 8", "n: 16") + "  - swap: [ a, b ]\n";
  Workload All = test::valueOf(parseWorkload(Text, "w.yaml"));
  EXPECT_EQ(test::valueOf(resolve(All, All.TuneSize)).Buffers[0].Name, "a") << "swapped twice";
  Workload First = upToLaunch(All, 0), Second = upToLaunch(All, 1);
  EXPECT_FALSE(First.isSequence());
  EXPECT_EQ(test::valueOf(resolve(First, First.TuneSize)).Buffers[0].Name, "a") << "not yet swapped";
  EXPECT_TRUE(Second.isSequence());
  EXPECT_EQ(test::valueOf(resolve(Second, Second.TuneSize)).Buffers[0].Name, "b");
  Workload Again = upToLaunch(First, 1);
  EXPECT_EQ(Again.tuned().Kernel, "two") << "of the whole that it is a part of";
  EXPECT_EQ(Again.Steps.size(), 3u);
}

TEST(Sequence, SwappedBuffersAreRenumberedWithTheRest) {
  std::string Text = swapping("n: 8", "n: 16");
  Text.replace(Text.find("  a: {"), 0, "  unused: { type: i32, count: 1, role: out }\n");
  Text += "  - { kernel: three, grid: [ 1 ], block: [ 32 ], arguments: [ unused ] }\n";
  Workload W = upToLaunch(test::valueOf(parseWorkload(Text, "w.yaml")), 1);
  ResolvedProblem P = test::valueOf(resolve(W, W.TuneSize));
  ASSERT_EQ(P.Buffers.size(), 3u);
  EXPECT_EQ(P.Buffers[0].FirstName + P.Buffers[0].Name, "ab");
  EXPECT_EQ(P.tuned().Arguments[0].Buffer, 1u);
}

TEST(Sequence, TheTunedLaunchAloneIsTheLast) {
  Workload W = upToLaunch(test::valueOf(parseWorkload(swapping("n: 8", "n: 16"), "w.yaml")), 1);
  ResolvedProblem P = test::valueOf(resolve(W, W.TuneSize, {}, std::nullopt, LaunchScope::Tuned));
  ASSERT_EQ(P.Launches.size(), 1u);
  EXPECT_EQ(P.tuned().Kernel, "two");
  EXPECT_EQ(P.tuned().Arguments[0].Buffer, 1u) << "behind the swap all the same";
  EXPECT_EQ(P.Buffers[0].Name, "b");
}

TEST(Sequence, OnlyBuffersThatCanTakeEachOthersPlaceAreSwapped) {
  EXPECT_NE(errorOf(Swapping.str())
                .find("w.yaml:10:13: launches[1].swap: the buffer 'a' has 64 elements and 'b' 96; "
                      "expected as many"),
            std::string::npos)
      << errorOf(Swapping.str());
  auto With = [](StringRef Swap) { return errorOf(swapping("[ a, b ]\n  - {", (Swap + "\n  - {").str())); };
  EXPECT_NE(With("[ a, a ]").find("expected two different buffers"), std::string::npos);
  EXPECT_NE(With("[ a ]").find("expected two buffers such as [a, b]"), std::string::npos);
  EXPECT_NE(With("[ a, b, c ]").find("expected two buffers such as [a, b]"), std::string::npos);
  EXPECT_NE(With("a").find("two buffers such as [a, b]"), std::string::npos);
  EXPECT_NE(With("[ a, d ]").find("launches[1].swap[1]: no buffer 'd'"), std::string::npos)
      << With("[ a, d ]");
  EXPECT_NE(errorOf(swapping("fill: iota, role: inout", "fill: iota, role: in"))
                .find("launches[1].swap[0]: the buffer 'a' has the role 'in'"),
            std::string::npos);
  EXPECT_NE(errorOf(swapping("b: { type: f32", "b: { type: i32"))
                .find("the buffer 'a' has elements of f32 and 'b' of i32; expected the same type"),
            std::string::npos);
  EXPECT_NE(errorOf(swapping("swap: [ a, b ]", "{ swap: [ a, b ], kernel: one }")).find("kernel"),
            std::string::npos);
  std::string None = swapping("n: 8", "n: 16");
  None.erase(None.find("  - { kernel: one"));
  EXPECT_NE(errorOf(None + "  - swap: [ a, b ]\n").find("launches: expected at least one launch"),
            std::string::npos);
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
