//===- WarpCostTest.cpp - What one warp takes of a multiprocessor -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Model/WarpCost.h"
#include "HandCode.h"
#include "gtest/gtest.h"

using namespace gpuprune;
using namespace gpuprune::hand;
using namespace llvm;

namespace {

/// Shared memory has a latency of 29 cycles, global memory of 300.
WarpCost costOf(const KernelCode &Code, const FlowGraph &Machine, const MachineExecutions &Executions) {
  return warpCost(Code, Machine, Executions, *cantFail(findDevice("sm_90")), *cantFail(findRates("sm_90")),
                  {/*Load=*/300, /*Atomic=*/250});
}

MachineExecutions once(const FlowGraph &Machine) {
  MachineExecutions E;
  E.OfBlock.assign(Machine.Blocks.size(), 1);
  E.Innermost.resize(Machine.Blocks.size());
  return E;
}

} // namespace

TEST(WarpCost, stallCyclesFollowEachOther) {
  KernelCode Code = code({{Ffma, 4}, {Ffma, 2}, {Exit, 5}});
  FlowGraph Machine = flow({{3}});
  EXPECT_EQ(costOf(Code, Machine, once(Machine)).Alone, 11);
}

TEST(WarpCost, aResultIsWaitedFor) {
  // LDS at 0, done at 29; FFMA at 29; EXIT at 33, which ends at 38.
  KernelCode Code = code({{Lds, 1, 0}, {Ffma, 4, std::nullopt, 1}, {Exit, 5}});
  FlowGraph Machine = flow({{3}});
  EXPECT_EQ(costOf(Code, Machine, once(Machine)).Alone, 38);
}

TEST(WarpCost, loadsThatAreWaitedForTogetherOverlap) {
  // LDG at 0 and at 2 with one counter: done at 302.
  KernelCode Code = code({{Ldg, 2, 3}, {Ldg, 2, 3}, {Ffma, 4, std::nullopt, 8}});
  FlowGraph Machine = flow({{3}});
  EXPECT_EQ(costOf(Code, Machine, once(Machine)).Alone, 306);
}

TEST(WarpCost, anIterationIsTheLastOfThree) {
  // Outside 1 + 5. An iteration: LDS at 0, FFMA waits until 29, BRA at 33 ends at 38.
  KernelCode Code = code({{Iadd3, 1}, {Lds, 2, 0}, {Ffma, 4, std::nullopt, 1}, {Bra, 5}, {Exit, 5}});
  FlowGraph Machine = flow({{1, {1}}, {3, {1, 2}}, {1}});
  MachineExecutions E = once(Machine);
  E.OfBlock[1] = 10;
  E.Innermost[1] = 0;
  E.Iterations = {10};
  WarpCost Cost = costOf(Code, Machine, E);
  EXPECT_EQ(Cost.Alone, 386);
  EXPECT_EQ(Cost.Issue, 32);
  EXPECT_EQ(Cost.Fma, 10);
  EXPECT_EQ(Cost.Alu, 2); // 64 results a cycle: a warp takes half of a scheduler's lanes for two.
}

TEST(WarpCost, pipesAtTheirRates) {
  KernelCode Code = code({{Ffma}, {Imad}, {Mufu}, {Iadd3}});
  FlowGraph Machine = flow({{4}});
  WarpCost Cost = costOf(Code, Machine, once(Machine));
  EXPECT_EQ(Cost.Fma, 2);
  EXPECT_EQ(Cost.FmaHeavy, 2);
  EXPECT_EQ(Cost.Xu, 8);
  EXPECT_EQ(Cost.Alu, 2);
}
