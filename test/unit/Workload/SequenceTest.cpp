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

TEST(Sequence, ASpaceIsThatOfEachLaunchAndItsBlocksOfThoseThatAdapt) {
  std::string Text = Yaml.str();
  for (StringRef Follows : {StringRef("\"cdiv(n, block.x)\" ], block: [ 32"), StringRef("i32: block.x")})
    Text.replace(Text.find(Follows), Follows.size(), Follows.contains("i32") ? "i32: n" : "2 ], block: [ 32");
  StringRef Space =
      "space: { pipeline: \"gpu-registers<max={r}>\", parameters: { r: [32, 64] }, blocks: [64, 96] }\n";
  Workload All = test::valueOf(parseWorkload(Text + Space.str(), "w.yaml"));
  Workload First = upToLaunch(All, 0), Second = upToLaunch(All, 1);
  ASSERT_TRUE(First.Space && Second.Space);
  EXPECT_EQ(First.Space->Blocks.size(), 2u);
  EXPECT_TRUE(Second.Space->Blocks.empty()) << "it follows no block";
  EXPECT_EQ(Second.Space->Parameters.size(), 1u);

  StringRef Grid = "\"cdiv(n, block.x)\"";
  Text.replace(Text.find(Grid), Grid.size(), "4");
  EXPECT_NE(errorOf(Text + Space.str()).find("the block cannot be chosen"), std::string::npos);
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

constexpr StringLiteral Repeating = R"yaml(
source: k.cu
sizes: { tune: { n: 16 }, check: [ { n: 5 }, { n: 2 } ] }
buffers:
  a: { type: f32, count: n*n, fill: iota, role: inout }
  b: { type: f32, count: n*n, role: temp }
  c: { type: f32, count: 1, role: out }
launches:
  - { kernel: first, grid: [ 1 ], block: [ 8 ], arguments: [ a ] }
  - repeat: { name: k, from: 0, to: n - 1 }
    steps:
      - { kernel: row, grid: [ n - k, "cdiv(n, block.x)" ], block: [ 4 ], arguments: [ { buffer: a, offset: k*n + k }, b, { i32: k } ] }
      - swap: [ a, b ]
      - repeat: { name: j, from: 0, to: k }
        steps:
          - { kernel: inner, grid: [ 1 ], block: [ 8 ], arguments: [ a, { i32: 10*k + j } ] }
  - { kernel: last, grid: [ 1 ], block: [ 8 ], arguments: [ a, c ] }
work: { byte: n }
)yaml";

std::string iterationsOf(ArrayRef<ResolvedLaunch> Launches) {
  std::string Text;
  for (const ResolvedLaunch &L : Launches)
    Text += L.Kernel + "(" + L.Iteration + ") ";
  return Text;
}

Workload repeating(size_t Launch) {
  return upToLaunch(test::valueOf(parseWorkload(Repeating, "w.yaml")), Launch);
}

TEST(Sequence, ARepeatIsUnrolled) {
  Workload W = test::valueOf(parseWorkload(Repeating, "w.yaml"));
  EXPECT_EQ(W.Launches.size(), 4u);
  EXPECT_EQ(W.SizeNames, std::vector<std::string>{"n"});
  ResolvedProblem P = test::valueOf(resolve(W, W.CheckSizes[1]));
  EXPECT_EQ(iterationsOf(P.Launches),
            "first() row(k=0) inner(k=0,j=0) row(k=1) inner(k=1,j=0) inner(k=1,j=1) last() ");
  EXPECT_EQ(P.Launches[1].Grid.X, 2);
  EXPECT_EQ(P.Launches[3].Grid.X, 1);
  EXPECT_EQ(P.Launches[3].Arguments[0].Offset, 4u * 3);
  EXPECT_EQ(P.Launches[3].Arguments[2].Bits, 1u);
  EXPECT_EQ(P.Launches[5].Arguments[1].Bits, 11u);
  // Swapped once an iteration.
  EXPECT_EQ(P.Launches[1].Arguments[0].Buffer, 0u);
  EXPECT_EQ(P.Launches[2].Arguments[0].Buffer, 1u);
  EXPECT_EQ(P.Launches[3].Arguments[0].Buffer, 1u);
  EXPECT_EQ(P.Launches[4].Arguments[0].Buffer, 0u);
  EXPECT_EQ(P.Launches[6].Arguments[0].Buffer, 0u);
  EXPECT_EQ(P.Buffers[0].Name, "a") << "two swaps";
  EXPECT_EQ(test::valueOf(resolve(W, W.CheckSizes[0])).Buffers[0].Name, "b") << "five";
}

TEST(Sequence, SomeIterationsStandForAll) {
  Workload W = repeating(1);
  EXPECT_TRUE(W.isSequence());
  EXPECT_EQ(W.Variables, std::vector<std::string>{"k"});
  EXPECT_EQ(W.SizeNames, (std::vector<std::string>{"n", "k"}));
  EXPECT_EQ(W.Launches.size(), 3u) << "what comes behind it in the repeat comes before its next iteration";
  EXPECT_EQ(W.TuneSize.lookup("k"), 8);
  std::vector<std::pair<int64_t, int64_t>> Checks;
  for (const Environment &Size : W.CheckSizes)
    Checks.emplace_back(Size.lookup("n"), Size.lookup("k"));
  EXPECT_EQ(Checks,
            (std::vector<std::pair<int64_t, int64_t>>{{5, 0}, {5, 1}, {5, 2}, {5, 4}, {2, 0}, {2, 1}}));
  ASSERT_EQ(W.Samples.size(), 3u);
  EXPECT_EQ(W.Samples[0], (IterationSample{"n=5", {"k=0", "k=1", "k=2", "k=4"}, {"k=3"}, false}));
  EXPECT_EQ(W.Samples[1], (IterationSample{"n=2", {"k=0", "k=1"}, {}, false}));
  EXPECT_EQ(W.Samples[2], (IterationSample{"n=16", {"k=8"}, {"k=0 to k=7", "k=9 to k=15"}, true}));
  Workload Inner = repeating(2);
  EXPECT_EQ(Inner.Variables, (std::vector<std::string>{"k", "j"}));
  EXPECT_EQ(Inner.Samples[1].Compared, (std::vector<std::string>{"k=0,j=0", "k=1,j=0", "k=1,j=1"}));
}

TEST(Sequence, AnIterationStartsFromAllThatComesBeforeIt) {
  Workload W = repeating(1);
  ResolvedProblem P = test::valueOf(resolve(W, W.CheckSizes[2], {}, Dim3{2, 1, 1}));
  EXPECT_EQ(iterationsOf(P.Launches),
            "first() row(k=0) inner(k=0,j=0) row(k=1) inner(k=1,j=0) inner(k=1,j=1) row(k=2) ");
  EXPECT_EQ(P.tuned().Block.X, 2);
  EXPECT_EQ(P.tuned().Grid, (Dim3{3, 3, 1}));
  EXPECT_EQ(P.Launches[1].Block.X, 4) << "earlier iterations are the author's";
  EXPECT_EQ(P.Launches[1].Grid.Y, 2);
  EXPECT_EQ(P.Buffers[0].Name, "a") << "before the third swap";
  ResolvedProblem Alone = test::valueOf(resolve(W, W.CheckSizes[2], {}, Dim3{2, 1, 1}, LaunchScope::Tuned));
  EXPECT_EQ(iterationsOf(Alone.Launches), "row(k=2) ");
  EXPECT_EQ(Alone.tuned().Arguments, P.tuned().Arguments);
  EXPECT_EQ(Alone.tuned().Grid, P.tuned().Grid);
  ResolvedProblem Each =
      test::valueOf(resolve(W, W.CheckSizes[2], {}, Dim3{2, 1, 1}, LaunchScope::EachIteration));
  EXPECT_EQ(iterationsOf(Each.Launches), "row(k=0) row(k=1) row(k=2) row(k=3) row(k=4) ");
  EXPECT_EQ(Each.Launches[4].Block.X, 2);
  EXPECT_EQ(Each.Launches[2].Arguments, P.tuned().Arguments);
}

TEST(Sequence, WhatIsBehindARepeatComesAfterAllOfIt) {
  Workload W = repeating(3);
  EXPECT_FALSE(W.isRepeated());
  EXPECT_EQ(test::valueOf(resolve(W, W.CheckSizes[1])).Launches.size(), 7u);
  Workload First = repeating(0);
  EXPECT_FALSE(First.isSequence());
  EXPECT_EQ(First.Launches.size(), 1u);
}

TEST(Sequence, TheWholeHasTheBlocksOfTheChoices) {
  Workload W = test::valueOf(parseWorkload(Repeating, "w.yaml"));
  ResolvedProblem P = test::valueOf(
      resolveWhole(W, W.CheckSizes[1], {std::nullopt, Dim3{2, 1, 1}, std::nullopt, std::nullopt}));
  ASSERT_EQ(P.Launches.size(), 7u);
  EXPECT_EQ(P.Launches[1].Block.X, 2);
  EXPECT_EQ(P.Launches[3].Block.X, 2) << "one variant in all iterations";
  EXPECT_EQ(P.Launches[2].Block.X, 8);
}

TEST(Sequence, MistakesOfRepeatsAreFoundWhereTheyAre) {
  auto With = [](StringRef From, StringRef To) {
    std::string Text = Repeating.str();
    size_t At = Text.find(From.str());
    EXPECT_NE(At, std::string::npos) << From.str();
    return errorOf(Text.replace(At, From.size(), To.str()));
  };
  auto Expect = [&](StringRef From, StringRef To, StringRef Message) {
    std::string Said = With(From, To);
    EXPECT_NE(Said.find(Message.str()), std::string::npos) << Said;
  };
  Expect("to: n - 1", "to: n - 3",
         "w.yaml:10:37: launches[1].repeat.to: 'n - 3' is -1; expected at least 0 (with n = 2)");
  Expect("k*n + k", "k*n + n",
         "launches[1].steps[0].arguments[0].offset: 'k*n + n' is 256, and the buffer 'a' has 256 "
         "elements; expected at most 255 (with k = 15, n = 16)");
  Expect("n - k,", "n - 1 - k,", "launches[1].steps[0].grid[0]: 'n - 1 - k' is 0; expected at least 1");
  Expect("{ name: k, from: 0, to: n - 1 }", "{ name: k, from: 0 }",
         "launches[1].repeat: the key 'to' is missing");
  Expect("{ name: k, from: 0, to: n - 1 }", "n",
         "launches[1].repeat: expected a variable and its first and last value");
  Expect("name: k", "name: n", "'n' is a size, a define or the variable of a repeat around this one");
  Expect("name: j", "name: k",
         "launches[1].steps[2].repeat.name: 'k' is a size, a define or the variable of");
  Expect("name: k", "name: 2k", "launches[1].repeat.name");
  Expect("from: 0", "form: 0", "launches[1].repeat.form: unknown key");
  Expect("arguments: [ a, c ]", "arguments: [ a, c, { i32: k } ]",
         "launches[2].arguments[2].i32: unknown name 'k'");
  Expect("count: 1,", "count: k,", "buffers.c.count: unknown name 'k'");
  Expect("work: { byte: n }", "work: { byte: k }", "unknown name 'k'");
  Expect("to: k }", "to: 20000 }", "more than 10000 launches and swaps");
  Expect("to: n - 1", "to: 9223372036854775807", "expected at least 1");
  Expect("          - { kernel: inner, grid: [ 1 ], block: [ 8 ], arguments: [ a, { i32: 10*k + j } ] }",
         "          - swap: [ a, b ]", "launches[1].steps[2].steps: expected at least one launch");
  Expect("        steps:\n          - { kernel: inner", "        step:\n          - { kernel: inner",
         "step: unknown key");
}

TEST(Sequence, NoChangedCharacterCrashes) {
  size_t Read = 0;
  for (size_t I = 0; I != Repeating.size(); ++I)
    for (StringRef To : {"", "0", "k", "9", ",", "-"}) {
      std::string Text = Repeating.str();
      Text.replace(I, 1, To.str());
      Expected<Workload> W = parseWorkload(Text, "w.yaml");
      if (!W) {
        EXPECT_TRUE(StringRef(takeError(W.takeError()).Text).starts_with("w.yaml:")) << Text;
        continue;
      }
      ++Read;
      for (size_t Launch = 0; Launch != W->Launches.size(); ++Launch) {
        Workload One = upToLaunch(*W, Launch);
        EXPECT_EQ(One.tuned().Kernel, W->Launches[Launch].Kernel);
        for (const Environment &Size : One.CheckSizes)
          EXPECT_EQ(test::valueOf(resolve(One, Size)).tuned().Spec, Launch);
      }
    }
  EXPECT_GT(Read, 100u);
}

TEST(Sequence, APromiseIsAboutOneKernel) {
  std::string Said = errorOf(Yaml.str() + "block-free: [x]\n");
  EXPECT_NE(Said.find("block-free: it is a promise about one kernel, and this sequence has 2 launches"),
            std::string::npos)
      << Said;
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
