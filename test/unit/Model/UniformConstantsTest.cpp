//===- UniformConstantsTest.cpp - Constants through the uniform datapath ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Model/UniformConstants.h"
#include "HandCode.h"
#include "gtest/gtest.h"

using namespace gpuprune;
using namespace gpuprune::hand;
using namespace llvm;

namespace {

constexpr unsigned Uldc = 0xbb, Ldc = 0x182;

/// Of one loop of 100 iterations, which loads at each offset by a register: of eight bytes each.
struct LoopOfLoads {
  std::vector<int16_t> Offsets;
  unsigned Opcode = Uldc;
  double Executions = 100; ///< Of the block with the loads.

  UniformConstants with(const PartitionWarps &Warps, double TableLines) const {
    std::vector<hand::Instruction> Loads(Offsets.size(), {Opcode});
    KernelCode Code = code(Loads);
    RegisterFile File = Opcode == Uldc ? RegisterFile::Uniform : RegisterFile::General;
    for (auto [I, Offset] : zip_equal(Code.Instructions, Offsets)) {
      I.ConstantOffset = Offset;
      I.AccessBytes = 8;
      I.Reads.push_back({File, 4, 1});
    }
    FlowGraph Machine = flow({{0, {1}}, {Offsets.size(), {1, 2}}, {0}});
    MachineExecutions E;
    E.OfBlock = {1, Executions, 1};
    E.Innermost = {std::nullopt, 0, std::nullopt};
    E.Iterations = {100};
    return uniformConstants(Code, Machine, E, Warps, TableLines);
  }
};

constexpr double Long = 1e6; ///< Lines of a table that is not walked again.

} // namespace

TEST(UniformConstants, whatFitsIsFound) {
  // 32 lines by 32 offsets: all sets are full.
  LoopOfLoads Whole;
  for (int16_t Line = 0; Line != 32; ++Line)
    Whole.Offsets.push_back(int16_t(Line * 64));
  EXPECT_EQ(Whole.with({1, 1}, 32).Missed, 0);
  EXPECT_EQ(Whole.with({16, 1}, 32).Missed, 0);
}

TEST(UniformConstants, theOffsetChoosesTheSet) {
  // One instruction has four lines for a table of eight, wherever these are.
  EXPECT_EQ(LoopOfLoads{{0}}.with({1, 1}, 4).Missed, 0);
  double New = 100.0 * 8 / 64; // Eight bytes of a line in an iteration.
  EXPECT_DOUBLE_EQ(LoopOfLoads{{0}}.with({1, 1}, 8).Missed, New / 2);
}

TEST(UniformConstants, whoWalksAloneMissesEachLineOnce) {
  double Lines = 100.0 * 16 / 64;
  EXPECT_NEAR((LoopOfLoads{{0, 8}}.with({1, 1}, Long).Missed), Lines, 1e-3 * Lines);
}

TEST(UniformConstants, offsetsOnBothSidesOfALineUseTwo) {
  double Lines = 100.0 * 16 / 64;
  EXPECT_NEAR((LoopOfLoads{{-8, 0}}.with({1, 1}, Long).Missed), 2 * Lines, 1e-3 * Lines);
}

TEST(UniformConstants, blocksTakeEachOthersLines) {
  // Each has a line of the set: four blocks have theirs, eight find half of them, sixteen a fourth.
  double New = 100.0 * 8 / 64, Again = 100.0 - New;
  for (auto [Blocks, Gone] : {std::pair(4.0, 0.0), {8.0, 0.5}, {16.0, 0.75}})
    EXPECT_NEAR((LoopOfLoads{{0}}.with({Blocks, 1}, Long).Missed), New + Gone * Again, 1e-2) << Blocks;
}

TEST(UniformConstants, warpsOfABlockShareMisses) {
  LoopOfLoads Loads{{0, 8, 64}};
  EXPECT_DOUBLE_EQ(Loads.with({4, 8}, Long).Missed, Loads.with({4, 1}, Long).Missed / 8);
}

TEST(UniformConstants, otherLoadsAreToldApart) {
  LoopOfLoads Others{{0, 8}, Ldc};
  EXPECT_EQ(Others.with({16, 1}, Long).Missed, 0);
  EXPECT_EQ(Others.with({16, 1}, Long).Share, 0);
  EXPECT_EQ((LoopOfLoads{{0, 8}}.with({16, 1}, Long).Share), 1);
}

TEST(UniformConstants, whatFewIterationsPassIsLeftOut) {
  LoopOfLoads Rare{{0}, Uldc, 40};
  EXPECT_EQ(Rare.with({16, 1}, Long).Missed, 0);
}
