//===- ListScheduleTest.cpp - Cycles of one thread by list scheduling -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Model/ListSchedule.h"
#include "HandCode.h"
#include "gtest/gtest.h"
#include <chrono>

using namespace gpuprune;
using namespace gpuprune::hand;
using namespace llvm;

namespace {

/// Global memory has a latency of 300 cycles, its atomics of 250, shared memory of 29.
ScheduleLatencies latencies() { return {*cantFail(findRates("sm_90")), {/*Load=*/300, /*Atomic=*/250}}; }

/// An instruction of general registers.
struct Step {
  unsigned Opcode;
  std::vector<uint8_t> Writes = {}, Reads = {};
};

KernelCode steps(ArrayRef<Step> Steps) {
  std::vector<hand::Instruction> Plain;
  for (const Step &S : Steps)
    Plain.push_back({S.Opcode});
  KernelCode Code = code(Plain);
  for (const auto &[I, S] : zip_equal(Code.Instructions, Steps)) {
    for (uint8_t R : S.Writes)
      I.Writes.push_back({RegisterFile::General, R, 1});
    for (uint8_t R : S.Reads)
      I.Reads.push_back({RegisterFile::General, R, 1});
  }
  return Code;
}

double cyclesOf(ArrayRef<Step> Steps) { return scheduledCycles(steps(Steps).Instructions, latencies()); }

constexpr unsigned Mov = 0x002, F2f = 0x110, Fmul = 0x020, Fsetp = 0x00b, Stg = 0x186, Sts = 0x188,
                   Ldl = 0x183, Hfma2 = 0x031, Dfma = 0x02b, Atomg = 0x1a8, Nop = 0x118;

} // namespace

TEST(ListSchedule, whatDependsOnNothingIsScheduledOneACycle) {
  EXPECT_EQ(cyclesOf({}), 0);
  EXPECT_EQ(cyclesOf({{Ffma, {1}}}), 4);
  EXPECT_EQ(cyclesOf({{Ffma, {1}}, {Ffma, {2}}, {Ffma, {3}}}), 6);
}

TEST(ListSchedule, aResultIsReadWhenItIsFinished) {
  EXPECT_EQ(cyclesOf({{Lds, {1}}, {Ffma, {2}, {1}}}), 33);
  EXPECT_EQ(cyclesOf({{Lds, {1}}, {Ffma, {2}, {3}}}), 29) << "another register";
}

TEST(ListSchedule, aRegisterIsWrittenAgainWhenTheFirstWriteIsFinished) {
  EXPECT_EQ(cyclesOf({{Lds, {1}}, {Mov, {1}}}), 33);
  EXPECT_EQ(cyclesOf({{Lds, {1}}, {Mov, {2}}}), 29);
}

TEST(ListSchedule, aRegisterIsWrittenAfterItsReaderWasScheduled) {
  // The load waits for no result, but for the FFMA that waits for one until cycle 29.
  EXPECT_EQ(cyclesOf({{Lds, {1}}, {Ffma, {2}, {1, 3}}, {Lds, {3}}}), 59);
  EXPECT_EQ(cyclesOf({{Lds, {1}}, {Ffma, {2}, {1, 3}}, {Lds, {4}}}), 33) << "as if it were renamed";
}

TEST(ListSchedule, theLongestWayToTheEndGoesFirst) {
  // In their order, the chain of loads would begin two cycles later.
  EXPECT_EQ(cyclesOf({{Mov, {7}}, {Mov, {8}}, {Lds, {1}}, {Ffma, {2}, {1}}}), 33);
}

TEST(ListSchedule, anInstructionThatReadsWhatItWritesDoesNotWaitForItself) {
  EXPECT_EQ(cyclesOf({{Ffma, {1}, {1, 1}}, {Ffma, {1}, {1}}}), 8);
}

TEST(ListSchedule, theBasicBlockOfFigure1) {
  // F2F takes 23 cycles, everything else 4. The MOV (1) at 0, the FFMA (3) that reads it at 4, the F2F (7) of
  // that at 8, the FFMA (10) that reads R56 at 31; the FMUL (13) that writes R56 again after that, at 32.
  double Cycles = cyclesOf({{Mov, {5}, {4}},
                            {F2f, {4}, {4}},
                            {Ffma, {52}, {55, 5}},
                            {Fmul, {53}, {5}},
                            {Mov, {55}},
                            {Fsetp, {}, {5}},
                            {F2f, {56}, {52}},
                            {Fmul, {53}, {5, 53}},
                            {Fmul, {5}, {52}},
                            {Ffma, {57}, {56, 55}},
                            {Ffma, {4}, {4, 55}},
                            {Fsetp, {}, {52}},
                            {Fmul, {56}, {52, 5}},
                            {Fmul, {58}, {53}}});
  EXPECT_EQ(Cycles, 36);
}

TEST(ListSchedule, memoryByWhereItIs) {
  auto One = [](unsigned Opcode) { return cyclesOf({{Opcode}}); };
  EXPECT_EQ(One(Ldg), 300);
  EXPECT_EQ(One(Stg), 300) << "a store as a load";
  EXPECT_EQ(One(Atomg), 250);
  EXPECT_EQ(One(Lds), 29);
  EXPECT_EQ(One(Sts), 29);
  EXPECT_EQ(One(Ldl), 40.7);
}

TEST(ListSchedule, controlTakesOneCycleAndArithmeticWhatItsUnitTakes) {
  auto One = [](unsigned Opcode) { return cyclesOf({{Opcode}}); };
  EXPECT_EQ(One(Bra), 1);
  EXPECT_EQ(One(Bar), 1);
  EXPECT_EQ(One(Exit), 1);
  EXPECT_EQ(One(Nop), 0) << "what fills the end of a section";
  EXPECT_EQ(One(Mufu), 23);
  EXPECT_EQ(One(Hfma2), 6);
  EXPECT_EQ(One(Dfma), 8);
}

TEST(ListSchedule, blocksCountAsOftenAsTheyAreExecuted) {
  // Before the loop 4 cycles, ten times 33, and 1 behind it.
  KernelCode Code = steps({{Iadd3, {9}}, {Lds, {1}}, {Ffma, {2}, {1}}, {Bra}, {Exit}});
  Code.Instructions[3].Target = InstructionBytes;
  Code.Instructions[3].Guard.Number = 0;
  FlowGraph Ptx = flow({{1, {1}}, {3, {1, 2}, 2}, {1}});
  PtxBlockExecutions Counts[] = {{0, 1, {}}, {1, 10, {}}, {2, 1, {}}};
  ThreadCycles Found = threadCycles(Code, Ptx, Counts, latencies());
  EXPECT_EQ(Found.Cycles, 335);
  EXPECT_TRUE(Found.Assumed.empty());
}

TEST(ListSchedule, whatIsNotModelledIsSaid) {
  KernelCode Code = steps({{Ffma, {1}}, {Exit}});
  Code.Estimated["UTMALDG"] = 1;
  PtxBlockExecutions Counts[] = {{0, 1, {}}};
  EXPECT_EQ(threadCycles(Code, flow({{2}}), Counts, latencies()).Assumed,
            std::vector<std::string>{"UTMALDG is not modelled"});
}

TEST(ListSchedule, aCubinThatFillsTheInstructionCacheTakesAFewMilliseconds) {
  // 128 KiB of code in one block, where each instruction depends on some before it.
  std::vector<Step> Steps;
  for (unsigned I = 0; I != InstructionCacheBytes / InstructionBytes; ++I)
    Steps.push_back(
        {I % 8 ? Ffma : Lds, {uint8_t(I % 250)}, {uint8_t((I + 17) % 250), uint8_t((I * 7) % 250)}});
  KernelCode Code = steps(Steps);
  PtxBlockExecutions Counts[] = {{0, 1, {}}};
  FlowGraph Ptx = flow({{1}});
  auto Best = std::chrono::steady_clock::duration::max();
  for (unsigned Round = 0; Round != 5; ++Round) {
    auto Begin = std::chrono::steady_clock::now();
    EXPECT_GT(threadCycles(Code, Ptx, Counts, latencies()).Cycles, double(Steps.size()));
    Best = std::min(Best, std::chrono::steady_clock::now() - Begin);
  }
  RecordProperty("microseconds", int(std::chrono::duration_cast<std::chrono::microseconds>(Best).count()));
  // Some ms are meant; more where sanitizers slow the test down.
  EXPECT_LT(Best, std::chrono::milliseconds(100));
}
