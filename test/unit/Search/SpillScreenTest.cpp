//===- SpillScreenTest.cpp - Keeps out what spilling makes slow -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/SpillScreen.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

static const DeviceInfo &h200() { return *cantFail(findDevice("sm_90")); }

/// A row of 32 x 32 threads as the assemble phase leaves it.
static VariantResult row(StringRef Text, uint64_t Local, VariantStatus Status = VariantStatus::Ok) {
  VariantResult Row;
  Row.Parts = cantFail(parseVariant(Text));
  Row.Status = Status;
  Row.Launch.Block = {32, 32, 1};
  Row.Registers = 64;
  Row.SharedBytes = 49152;
  Row.BlocksPerSM = 1;
  Row.LocalBytes = Local;
  Row.SpillStoreBytes = Row.SpillLoadBytes = Local;
  return Row;
}

TEST(SpillScreen, CapThatSpillsWhereTheSiblingDoesNot) {
  VariantResult Rows[] = {row("gpu-unroll<loop=0;factor=4>", 0),
                          row("gpu-unroll<loop=0;factor=4>,gpu-registers<max=64>", 8),
                          row("gpu-unroll<loop=0;factor=4>,gpu-registers<max=128>", 0)};
  screenSpills(Rows, h200());
  EXPECT_EQ(Rows[0].Status, VariantStatus::Ok);
  EXPECT_EQ(Rows[1].Status, VariantStatus::Spills);
  EXPECT_EQ(Rows[1].Message, "8 bytes of local memory per thread, 0 without the register cap");
  EXPECT_EQ(Rows[2].Status, VariantStatus::Ok);
}

TEST(SpillScreen, LocalMemoryTheKernelHasAnywayIsNoSpill) {
  VariantResult Rows[] = {row("", 32), row("gpu-registers<max=64>", 32), row("gpu-registers<max=32>", 40)};
  screenSpills(Rows, h200());
  EXPECT_EQ(Rows[0].Status, VariantStatus::Ok);
  EXPECT_EQ(Rows[1].Status, VariantStatus::Ok);
  EXPECT_EQ(Rows[2].Status, VariantStatus::Spills);
}

TEST(SpillScreen, WordsSpilledByPlanAreCountedElsewhere) {
  VariantResult Planned = row("gpu-registers<max=64;spill=2;spill-to=local>", 8);
  Planned.SpillStoreBytes = Planned.SpillLoadBytes = 0;
  VariantResult More = row("gpu-registers<max=32;spill=2;spill-to=local>", 24);
  More.SpillStoreBytes = More.SpillLoadBytes = 16;
  VariantResult Rows[] = {row("", 0), Planned, More};
  screenSpills(Rows, h200());
  EXPECT_EQ(Rows[1].Status, VariantStatus::Ok);
  EXPECT_EQ(Rows[2].Status, VariantStatus::Spills);
}

TEST(SpillScreen, PlanThatPtxasHasUndone) {
  VariantResult Rows[] = {row("", 0), row("gpu-registers<spill=2;spill-to=local>", 0),
                          row("gpu-registers<max=64>,gpu-registers<spill=2;spill-to=local>", 8),
                          row("gpu-registers<spill=2;spill-to=shared>", 0),
                          row("gpu-registers<spill=2;spill-to=local;kernel=other>", 0)};
  Rows[2].SpillStoreBytes = Rows[2].SpillLoadBytes = 0;
  screenSpills(Rows, h200());
  EXPECT_EQ(Rows[1].Status, VariantStatus::Spills);
  EXPECT_EQ(Rows[1].Message, "ptxas keeps in registers what the plan spills: the kernel has no local memory");
  for (const VariantResult &Row : {Rows[0], Rows[2], Rows[3], Rows[4]})
    EXPECT_EQ(Row.Status, VariantStatus::Ok) << Row.text();
}

TEST(SpillScreen, SiblingThatCannotRunLeavesItToTheL1) {
  // One block with 48 + 1 KiB of shared memory: 64 KiB are carved out, 192 stay.
  VariantResult Rows[] = {row("gpu-unroll<loop=0;factor=4>", 0, VariantStatus::Resources),
                          row("gpu-unroll<loop=0;factor=4>,gpu-registers<max=64>", 192),
                          row("gpu-unroll<loop=0;factor=4>,gpu-registers<max=48>", 193)};
  screenSpills(Rows, h200());
  EXPECT_EQ(Rows[1].Status, VariantStatus::Ok);
  EXPECT_EQ(Rows[2].Status, VariantStatus::Spills);
}

TEST(SpillScreen, SiblingsFiguresMayBeItsTwins) {
  VariantResult Twin = row("gpu-unroll<loop=0;factor=full>", 0);
  VariantResult Sibling = row("gpu-unroll<loop=0;factor=16>", 0);
  Sibling.Twin = {0, TwinKind::Ptx};
  Sibling.LocalBytes.reset();
  VariantResult Rows[] = {Twin, Sibling, row("gpu-unroll<loop=0;factor=16>,gpu-registers<max=64>", 8)};
  screenSpills(Rows, h200());
  EXPECT_EQ(Rows[1].Status, VariantStatus::Ok);
  EXPECT_EQ(Rows[2].Status, VariantStatus::Spills);
}

TEST(SpillScreen, WithoutSiblingInTheSpaceWhatPtxasSpilledDecides) {
  VariantResult Clean = row("gpu-registers<max=64>", 16);
  Clean.SpillStoreBytes = Clean.SpillLoadBytes = 0;
  VariantResult Rows[] = {Clean, row("gpu-registers<max=32>", 16)};
  screenSpills(Rows, h200());
  EXPECT_EQ(Rows[0].Status, VariantStatus::Ok);
  EXPECT_EQ(Rows[1].Status, VariantStatus::Spills);
}

TEST(SpillScreen, LeavesFailedRowsAndDuplicatesAlone) {
  VariantResult Refused = row("gpu-registers<max=64>", 8, VariantStatus::Refused);
  VariantResult Duplicate = row("gpu-registers<max=48>", 8);
  Duplicate.Twin = {1, TwinKind::Ptx};
  VariantResult NoCode = row("gpu-registers<max=32>", 8);
  NoCode.LocalBytes.reset();
  VariantResult Rows[] = {row("", 0), Refused, Duplicate, NoCode};
  screenSpills(Rows, h200());
  EXPECT_EQ(Rows[1].Status, VariantStatus::Refused);
  EXPECT_EQ(Rows[2].Status, VariantStatus::Ok);
  EXPECT_EQ(Rows[3].Status, VariantStatus::Ok);
}
