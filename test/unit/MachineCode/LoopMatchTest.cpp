//===- LoopMatchTest.cpp - Loops of PTX found in machine code ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// test/MachineCode/loops.test has what ptxas makes of kernels.
//
//===----------------------------------------------------------------------===//
#include "gpuprune/MachineCode/LoopMatch.h"
#include "gtest/gtest.h"

using namespace gpuprune;
using namespace llvm;

namespace {

/// A loop with so many barriers, those of the loops inside among them, and so much work without those.
struct Nest {
  uint64_t Barriers = 0;
  std::vector<Nest> Inside = {};
  uint64_t Work = 0;
};

void add(const Nest &N, std::optional<size_t> Outer, FlowGraph &Graph) {
  size_t Number = Graph.Loops.size();
  FlowLoop &Loop = Graph.Loops.emplace_back();
  Loop.Outer = Outer;
  Loop.All.Barriers = N.Barriers;
  for (std::optional<size_t> Around = Number; Around; Around = Graph.Loops[*Around].Outer)
    Graph.Loops[*Around].Blocks.push_back(Graph.Blocks.size());
  Graph.Blocks.emplace_back().Work = N.Work;
  for (const Nest &Inner : N.Inside)
    add(Inner, Number, Graph);
}

FlowGraph graph(ArrayRef<Nest> Nests) {
  FlowGraph Graph;
  for (const Nest &N : Nests)
    add(N, std::nullopt, Graph);
  return Graph;
}

/// "1 0x4 -": the loop of machine code for each of PTX, with the number of copies.
std::string match(ArrayRef<Nest> Ptx, ArrayRef<Nest> Machine) {
  std::string Text;
  for (const LoopMatch &M : matchLoops(graph(Ptx), graph(Machine)).OfPtx) {
    EXPECT_NE(M.Machine.has_value(), !M.Reason.empty());
    Text += (Text.empty() ? "" : " ") + (M.Machine ? std::to_string(*M.Machine) : "-");
    if (M.Copies != 1)
      Text += "x" + std::to_string(M.Copies);
  }
  return Text;
}

TEST(LoopMatchTest, ByAnchorsWhateverTheOrder) {
  EXPECT_EQ(match({{1}, {2}}, {{2}, {1}}), "1 0");
  EXPECT_EQ(match({{2, {{1}, {0}}}}, {{2, {{0}, {1}}}}), "0 2 1");
}

TEST(LoopMatchTest, ByOrderWhereAnchorsAreTheSame) {
  EXPECT_EQ(match({{1}, {1}}, {{1}, {1}}), "0 1");
  EXPECT_EQ(match({{}, {}}, {{}, {}}), "0 1");
  LoopMatches Matches = matchLoops(graph({{1, {{}}}}), graph({{1, {{}}}}));
  EXPECT_TRUE(Matches.OfPtx[0].IsAnchored);
  EXPECT_FALSE(Matches.OfPtx[1].IsAnchored);
  EXPECT_TRUE(Matches.isComplete());
}

TEST(LoopMatchTest, ByWorkWherePtxasMovedLoops) {
  Nest Small = {0, {}, 2}, Large = {0, {}, 8}, Unrolled = {0, {}, 32};
  EXPECT_EQ(match({Large, Large, Small, Small}, {Large, Small, Large, Small}), "0 2 1 3");
  EXPECT_EQ(match({{1, {Small, Large}}}, {{1, {Large, Small}}}), "0 2 1");
  // What has been multiplied is in order with the rest.
  EXPECT_EQ(match({Large, Small, {0, {}, 5}}, {Small, Unrolled, {0, {}, 10}}), "1 0 2");
}

TEST(LoopMatchTest, LoopsWithoutWorkAreApart) {
  Nest Copy, Small = {0, {}, 2}, Around = {0, {{0, {}, 8}}};
  EXPECT_EQ(match({Around, Copy, Small}, {Copy, Copy, Small, Around}), "3 4 - 2");
  EXPECT_EQ(match({Around, Copy, Small}, {Small, Copy, Around}), "2 3 1 0");
  EXPECT_EQ(match({Small}, {Small, Small}), "-");
}

TEST(LoopMatchTest, LoopsOfPtxasAreLeftOver) {
  LoopMatches Matches = matchLoops(graph({{1}}), graph({{}, {1, {{}}}}));
  EXPECT_EQ(Matches.OfPtx[0].Machine, 1u);
  EXPECT_EQ(Matches.OnlyInMachine, (std::vector<size_t>{0, 2}));
}

TEST(LoopMatchTest, UnrolledLoops) {
  EXPECT_EQ(match({{2}}, {{8}}), "0x4");
  EXPECT_EQ(match({{2}, {}}, {{}, {8}}), "1x4 0");
  // A loop of PTX that stayed is no copy of another.
  EXPECT_EQ(match({{2}, {4}}, {{2}, {4}}), "0 1");
  EXPECT_EQ(match({{1}, {4}}, {{2}, {4}}), "0x2 1");
}

TEST(LoopMatchTest, SaysWhatIsAmbiguous) {
  EXPECT_EQ(match({{2}}, {{3}}), "-");
  EXPECT_EQ(match({{2}}, {}), "-");
  // Unrolled, with a loop for the rest.
  EXPECT_EQ(match({{2}}, {{8}, {2}}), "-");
  EXPECT_EQ(match({{}}, {{}, {}}), "-");
  EXPECT_EQ(match({{2}, {2}}, {{4}, {2}}), "- -");
  LoopMatches Matches = matchLoops(graph({{2, {{}}}}), graph({{3}}));
  EXPECT_FALSE(Matches.isComplete());
  EXPECT_EQ(Matches.OfPtx[0].Reason,
            "machine code has 0 loops with the same barriers, stores and atomics, PTX 1");
  EXPECT_EQ(Matches.OfPtx[1].Reason, "the loop around it was not found");
}

} // namespace
