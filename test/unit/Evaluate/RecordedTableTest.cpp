//===- RecordedTableTest.cpp - Tables of measured variants ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Evaluate/RecordedTable.h"
#include "ExpectedTesting.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

static const std::string Header =
    "kernel,row,variant,status,twin,check,no_win,grid,block,instr,regions,efficiency,utilization,"
    "blocks_per_sm,median_ms,baseline_ms,modelled_ms,modelled_bound\n";
static const std::string Stock = "k,,stock,ok,,bitwise,0,4x1x1,64x1x1,100,2,0.5,3,8,2.5,2.5,3,issue\n";

static std::string errorOf(StringRef Text) { return inputErrorOf(readRecordedTable(Text).takeError()); }

TEST(RecordedTable, ReadsEachColumn) {
  std::vector<RecordedKernel> Table = valueOf(readRecordedTable(
      Header + Stock +
      "k,0,\"block=32,2,1 "
      "gpu-unroll<loop=0;factor=2>\",slow,,tolerance,1,4x2x1,32x2x1,99,3,0.25,4,7,1.5,2.5,1.25,dram\n"));
  ASSERT_EQ(Table.size(), 1u);
  EXPECT_EQ(Table[0].Name, "k");
  EXPECT_EQ(Table[0].Stock.OnGpu.MedianMs, 2.5);
  EXPECT_EQ(Table[0].Stock.Modelled.Ms, 3);
  ASSERT_EQ(Table[0].Rows.size(), 1u);
  const VariantResult &Row = Table[0].Rows[0];
  EXPECT_EQ(Row.text(), "block=32,2,1 gpu-unroll<loop=0;factor=2>");
  EXPECT_EQ(Row.Status, VariantStatus::Slow);
  EXPECT_EQ(Row.OnGpu.Outcome, CheckOutcome::Tolerance);
  EXPECT_FALSE(Row.mayWin());
  EXPECT_EQ(Row.Launch.Grid, (Dim3{4, 2, 1}));
  EXPECT_EQ(Row.Launch.Block, (Dim3{32, 2, 1}));
  EXPECT_EQ(Row.Instr, 99);
  EXPECT_EQ(Row.Regions, 3);
  EXPECT_EQ(Row.Efficiency, 0.25);
  EXPECT_EQ(Row.Utilization, 4);
  EXPECT_EQ(Row.BlocksPerSM, 7u);
  EXPECT_EQ(Row.OnGpu.MedianMs, 1.5);
  EXPECT_EQ(Row.OnGpu.BaselineMedianMs, 2.5);
  EXPECT_EQ(Row.Modelled.Ms, 1.25);
}

TEST(RecordedTable, WhatLiangNeeds) {
  std::string Wide = StringRef(Header).rtrim().str() + ",registers,occupancy,cycles,wall_s_es,wall_s_posf\n";
  std::vector<RecordedKernel> Table = valueOf(readRecordedTable(
      Wide + StringRef(Stock).rtrim().str() + ",40,0.75,,12.5,\n" +
      "k,0,gpu-registers<max=32>,ok,,bitwise,0,4x1x1,64x1x1,99,3,0.25,4,7,1.5,2.5,,,32,1,5400.5,,\n"));
  ASSERT_EQ(Table.size(), 1u);
  EXPECT_EQ(Table[0].WallSeconds, (std::map<std::string, double, std::less<>>{{"es", 12.5}}));
  EXPECT_EQ(Table[0].Stock.Registers, 40u);
  EXPECT_EQ(Table[0].Stock.Scheduled.Cycles, std::nullopt);
  EXPECT_EQ(Table[0].Rows[0].Registers, 32u);
  EXPECT_EQ(Table[0].Rows[0].Occupancy, 1);
  EXPECT_EQ(Table[0].Rows[0].Scheduled.Cycles, 5400.5);
}

TEST(RecordedTable, WhatIsNotKnownIsNothing) {
  std::vector<RecordedKernel> Table = valueOf(
      readRecordedTable(Header + "k,0,gpu-unroll<loop=0;factor=2>,refused,,skipped,0,0x0x0,,,,,,,,,,\n"));
  ASSERT_EQ(Table.size(), 1u);
  const VariantResult &Row = Table[0].Rows.at(0);
  EXPECT_EQ(Row.Instr, std::nullopt);
  EXPECT_EQ(Row.OnGpu.MedianMs, std::nullopt);
  EXPECT_EQ(Row.Modelled.Ms, std::nullopt);
  EXPECT_FALSE(isTimed(Row));
}

TEST(RecordedTable, ModelledTimesMayBeMissing) {
  std::string Text = Header + Stock;
  for (StringRef Cut : {",modelled_ms,modelled_bound", ",3,issue"})
    Text.erase(Text.find(Cut.str()), Cut.size());
  EXPECT_EQ(valueOf(readRecordedTable(Text)).at(0).Stock.Modelled.Ms, std::nullopt);
}

TEST(RecordedTable, ASecondModelledTime) {
  std::string Wide = StringRef(Header).rtrim().str() + ",modelled_queued_ms\n";
  std::string Queued = StringRef(Stock).rtrim().str() + ",3.5\n";
  EXPECT_EQ(valueOf(readRecordedTable(Wide + Queued)).at(0).Stock.Modelled.QueuedMs, 3.5);
  EXPECT_EQ(valueOf(readRecordedTable(Header + Stock)).at(0).Stock.Modelled.QueuedMs, std::nullopt);
}

TEST(RecordedTable, TwinsAreRowsOfTheirKernel) {
  std::string Other = "j,0,,ok,,bitwise,0,4x1x1,64x1x1,100,2,0.5,3,8,2.5,2.5,3,issue\n";
  std::string Twin =
      "k,1,gpu-unroll<loop=0;factor=2>,ok,0,bitwise,0,4x1x1,64x1x1,100,2,0.5,3,8,2.5,2.5,3,issue\n";
  std::string First = "k,0,,ok,,bitwise,0,4x1x1,64x1x1,100,2,0.5,3,8,2.5,2.5,3,issue\n";
  std::vector<RecordedKernel> Table = valueOf(readRecordedTable(Header + Other + First + Twin));
  ASSERT_EQ(Table.size(), 2u);
  EXPECT_TRUE(isTimed(Table[1].Rows.at(0)));
  EXPECT_EQ(Table[1].Rows.at(1).Twin->Row, 0u);
  EXPECT_FALSE(isTimed(Table[1].Rows.at(1)));
}

TEST(RecordedTable, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(errorOf(""), "no table of measured variants: it has no column 'kernel'");
  EXPECT_EQ(errorOf("kernel,variant\n"), "no table of measured variants: it has no column 'status'");
  EXPECT_EQ(errorOf(Header + Stock + "k,0\n"), "line 3: not as many cells as columns");
  EXPECT_EQ(errorOf(Header + "k,0,,fine,,bitwise,0,4x1x1,64x1x1,1,1,1,1,1,1,1,,\n"),
            "line 2: unknown status 'fine'");
  EXPECT_EQ(errorOf(Header + "k,0,,ok,,perhaps,0,4x1x1,64x1x1,1,1,1,1,1,1,1,,\n"),
            "line 2: unknown check 'perhaps'");
  EXPECT_EQ(errorOf(Header + "k,0,,ok,,bitwise,0,4x1x1,many,1,1,1,1,1,1,1,,\n"), "line 2: no block: 'many'");
  EXPECT_NE(errorOf(Header + "k,0,block=x,ok,,bitwise,0,4x1x1,1x1x1,1,1,1,1,1,1,1,,\n").find("line 2: "),
            std::string::npos);
  EXPECT_EQ(errorOf(Header + "k,0,,ok,7,bitwise,0,4x1x1,1x1x1,1,1,1,1,1,1,1,,\n"),
            "k: '' is the twin of a missing row");
}

TEST(RecordedTable, TakesNoNumberThatIsNone) {
  for (StringRef Time : {"-1", "0", "nan", "inf", "abc"})
    EXPECT_EQ(errorOf(Header + "k,0,,ok,,bitwise,0,4x1x1,1x1x1,1,1,1,1,1," + Time.str() + ",1,,\n"),
              "line 2: median_ms is '" + Time.str() + "', but is expected to be a time in ms");
  EXPECT_EQ(errorOf(Header + "k,0,,ok,,bitwise,0,4x1x1,1x1x1,many,1,1,1,1,1,1,,\n"),
            "line 2: instr is 'many', but is expected to be a number of at least 0");
}
