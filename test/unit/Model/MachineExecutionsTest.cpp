//===- MachineExecutionsTest.cpp - How often machine code is executed -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Model/MachineExecutions.h"
#include "HandCode.h"
#include "gtest/gtest.h"

using namespace gpuprune;
using namespace gpuprune::hand;
using namespace llvm;

namespace {

KernelCode nothing(const FlowGraph &Machine) {
  return code(std::vector<hand::Instruction>(Machine.Blocks.back().End, hand::Instruction{Iadd3}));
}

/// A loop of one block in the middle that goes round \p Times, entered once.
std::vector<PtxBlockExecutions> loopCounts(double Times) {
  return {{0, 1, {{1, 1}}}, {1, Times, {{1, Times - 1}, {2, 1}}}, {2, 1, {}}};
}

} // namespace

TEST(MachineExecutions, aLoopGoesRoundAsInPtx) {
  FlowGraph Ptx = flow({{3, {1}}, {4, {1, 2}}, {1}}), Machine = flow({{5, {1}}, {6, {1, 2}}, {1}});
  MachineExecutions E = machineExecutions(nothing(Machine), Machine, Ptx, loopCounts(100));
  EXPECT_EQ(E.OfBlock, (std::vector<double>{1, 100, 1}));
  EXPECT_EQ(E.Iterations, std::vector<double>{100});
  EXPECT_TRUE(E.Assumed.empty());
}

TEST(MachineExecutions, copiesByTheirBarriers) {
  FlowGraph Ptx = flow({{3, {1}}, {4, {1, 2}}, {1}}), Machine = flow({{5, {1}}, {24, {1, 2}}, {1}});
  Ptx.Loops[0].All.Barriers = 2;
  Machine.Loops[0].All.Barriers = 8;
  MachineExecutions E = machineExecutions(nothing(Machine), Machine, Ptx, loopCounts(102));
  EXPECT_EQ(E.Iterations, std::vector<double>{25}); // What is left over runs outside.
}

TEST(MachineExecutions, copiesByTheirWorkWhereNothingElseTells) {
  FlowGraph Ptx = flow({{3, {1}}, {4, {1, 2}, 2}, {1}}), Machine = flow({{5, {1}}, {24, {1, 2}, 8}, {1}});
  MachineExecutions E = machineExecutions(nothing(Machine), Machine, Ptx, loopCounts(102));
  EXPECT_EQ(E.Iterations, std::vector<double>{25});
  // Less work than in PTX makes no more iterations.
  Machine.Blocks[1].Work = 1;
  E = machineExecutions(nothing(Machine), Machine, Ptx, loopCounts(102));
  EXPECT_EQ(E.Iterations, std::vector<double>{102});
  // A barrier tells more than work.
  Machine.Blocks[1].Work = 8;
  Ptx.Loops[0].All.Barriers = Machine.Loops[0].All.Barriers = 2;
  E = machineExecutions(nothing(Machine), Machine, Ptx, loopCounts(102));
  EXPECT_EQ(E.Iterations, std::vector<double>{102});
}

TEST(MachineExecutions, theLoopWithMostWorkDoesItAll) {
  // ptxas has made a loop of four copies and one for the remainder.
  FlowGraph Ptx = flow({{3, {1}}, {4, {1, 2}, 2}, {1}});
  FlowGraph Machine = flow({{5, {1}}, {16, {1, 2}, 8}, {1, {3}}, {4, {3, 4}, 2}, {1}});
  MachineExecutions E = machineExecutions(nothing(Machine), Machine, Ptx, loopCounts(100));
  EXPECT_EQ(E.Iterations, (std::vector<double>{25, 1}));
  EXPECT_EQ(E.Assumed, std::vector<std::string>{"1 loop of PTX is 2 in machine code"});
}

TEST(MachineExecutions, someIterationsOnly) {
  // In PTX, block 2 runs in a quarter of the iterations.
  std::vector<Block> Blocks = {{3, {1}}, {4, {2, 3}}, {6, {3}}, {1, {1, 4}}, {1}};
  FlowGraph Ptx = flow(Blocks), Machine = flow(Blocks);
  std::vector<PtxBlockExecutions> Counts = {
      {0, 1, {{1, 1}}}, {1, 8, {{2, 2}, {3, 6}}}, {2, 2, {{3, 2}}}, {3, 8, {{1, 7}, {4, 1}}}, {4, 1, {}}};
  MachineExecutions E = machineExecutions(nothing(Machine), Machine, Ptx, Counts);
  EXPECT_EQ(E.OfBlock, (std::vector<double>{1, 8, 2, 8, 1}));
}

TEST(MachineExecutions, blocksAreToldApartByTheirWork) {
  // A thread takes one of two ways: that with three operations always, that with five never. ptxas exchanges
  // them.
  FlowGraph Ptx = flow({{3, {1, 2}}, {6, {3}, 3}, {9, {3}, 5}, {1}});
  FlowGraph Machine = flow({{3, {1, 2}}, {9, {3}, 5}, {6, {3}, 3}, {1}});
  std::vector<PtxBlockExecutions> Counts = {
      {0, 1, {{1, 1}, {2, 0}}}, {1, 1, {{3, 1}}}, {2, 0, {}}, {3, 1, {}}};
  EXPECT_EQ(machineExecutions(nothing(Machine), Machine, Ptx, Counts).OfBlock,
            (std::vector<double>{1, 0, 1, 1}));
}

TEST(MachineExecutions, slowPathsDoNotRun) {
  FlowGraph Ptx = flow({{2}}), Machine = flow({{2, {1, 2}}, {1, {3, 2}}, {1}, {2}});
  KernelCode Code = code({{Iadd3}, {Bra}, {Call}, {Exit}, {Iadd3}, {Iadd3}});
  Code.Instructions[2].Target = 4 * InstructionBytes;
  MachineExecutions E = machineExecutions(Code, Machine, Ptx, {{0, 1, {}}});
  EXPECT_EQ(E.OfBlock, (std::vector<double>{1, 0, 1, 0}));
}
