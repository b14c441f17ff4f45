//===- ReportTableTest.cpp - What a report's table has, and what not ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Report/TuneReport.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

namespace {

VariantResult compiled(StringRef Text, double Efficiency) {
  VariantResult R;
  R.Parts = cantFail(parseVariant(Text));
  R.Registers = 32;
  R.Instr = 100;
  R.Efficiency = Efficiency;
  return R;
}

TuneReport report() {
  TuneReport T;
  T.Size = "n=64";
  T.StoppedAfter = "report";
  T.Compiled = 3;
  T.CpuMsPerVariant = 5;
  T.Combinations = 3;
  T.Stock = compiled("", 0.5);
  T.Variants = {compiled("a", 1), compiled("b", 3), compiled("c", 2)};
  return T;
}

std::string table(const TuneReport &T, TableOptions Options = {}) {
  std::string Text;
  raw_string_ostream OS(Text);
  printTable(OS, T, Options);
  return Text;
}

bool has(StringRef Text, StringRef Part) { return Text.contains(Part); }

} // namespace

TEST(ReportTable, ColumnsThatSayNothingAreLeftOut) {
  TuneReport T = report();
  std::string Text = table(T, {/*AllRows=*/true});
  EXPECT_TRUE(has(Text, "status  regs  Instr  Efficiency  variant\n"));
  T.Variants[1].OnGpu.Outcome = CheckOutcome::Bitwise;
  T.Variants[1].OnGpu.MedianMs = 2;
  T.Variants[0].Pareto = true;
  Text = table(T, {/*AllRows=*/true});
  EXPECT_TRUE(has(Text, "status  regs  Instr  Efficiency  Pareto    check     ms  variant\n"));
  EXPECT_FALSE(has(Text, "G/s"));
}

TEST(ReportTable, TopIsTheBestByMetrics) {
  std::string Text = table(report(), {false, 2});
  size_t B = Text.find(" b\n"), C = Text.find(" c\n"), More = Text.find("[1 more distinct variant]\n");
  EXPECT_LT(Text.find("(as written, stock clang -O3)"), B);
  EXPECT_LT(B, C);
  EXPECT_LT(C, More);
  EXPECT_NE(More, std::string::npos);
  EXPECT_FALSE(has(Text, " a\n"));
  EXPECT_FALSE(has(table(report(), {false, 3}), "more distinct"));
}

TEST(ReportTable, TopIsTheFastestOnceMeasured) {
  TuneReport T = report();
  T.Variants[0].OnGpu.MedianMs = 1;
  T.Variants[2].OnGpu.MedianMs = 2;
  T.Variants[1].Status = VariantStatus::Wrong; // However efficient.
  std::string Text = table(T, {false, 1});
  EXPECT_TRUE(has(Text, " a\n"));
  EXPECT_TRUE(has(Text, "[1 more distinct variant]\n"));
  T.Variants[2].Twin = {0, TwinKind::Ptx};
  EXPECT_FALSE(has(table(T, {false, 1}), "more distinct"));
}

TEST(ReportTable, KindsOfTwinsAreToldApart) {
  TuneReport T = report();
  T.Variants[1].Twin = {0, TwinKind::Ptx};
  EXPECT_TRUE(has(table(T), ", 1 with the same PTX and launch as another\n"));
  EXPECT_FALSE(has(table(T), "machine code"));
  T.Variants[2].Twin = {0, TwinKind::MachineCode};
  EXPECT_TRUE(has(table(T),
                  ", 1 with the same PTX and launch as another, 1 with the same machine code and launch "
                  "as another\n"));
}

TEST(ReportTable, RefusalsHaveAnExampleEach) {
  TuneReport T = report();
  for (size_t Row : {0, 1, 2}) {
    T.Variants[Row].Status = VariantStatus::Refused;
    T.Variants[Row].Refusal = Row == 1 ? RefusalKind::AtomicAccess : RefusalKind::DependentBarrier;
    T.Variants[Row].Message = std::string("gpu-x refused 'k' ") + char('0' + char(Row)) + "\nmore";
  }
  EXPECT_TRUE(has(table(T), "refused: 2 DependentBarrier, 1 AtomicAccess (docs/refusals.md)\n"
                            "  such as: gpu-x refused 'k' 0\n"
                            "  such as: gpu-x refused 'k' 1\n"));
}

TEST(ReportTable, WhatDidNotHappenIsNotMentioned) {
  TuneReport T = report();
  std::string Text = table(T);
  EXPECT_TRUE(has(Text, "space: 3 variants, 3 distinct\n"));
  EXPECT_TRUE(has(Text, "cost: 5.0 ms of CPU time per variant from bitcode to metrics\n"));
  for (const char *Absent : {"constraints", "combinations", "pruning:", "on the CPU:", "database:", "sample"})
    EXPECT_FALSE(has(Text, Absent));
  T.Database.Path = "results.db"; // Opened, and neither read nor written.
  EXPECT_FALSE(has(table(T), "database:"));
  T.StoppedAfter = "codegen";
  EXPECT_TRUE(has(table(T), "from bitcode to PTX\n"));
  T.Compiled = 0;
  EXPECT_FALSE(has(table(T), "cost:"));
}

TEST(ReportTable, WhatHappenedIs) {
  TuneReport T = report();
  T.Combinations = 9;
  T.Removed = {{"x <= 4", 3}, {"y <= 4", 0}, {"z <= 4", 1}};
  EXPECT_TRUE(
      has(table(T),
          "space: 3 variants (9 combinations, 3 removed by x <= 4, 1 removed by z <= 4), 3 distinct\n"));
  T.SampledOf = 5;
  EXPECT_TRUE(has(table(T), "space: 3 variants, a sample of 5 (9 combinations, 3 removed"));
  T.Database = {"results.db", 2, 1, {}};
  EXPECT_TRUE(has(table(T), "database: 2 results from 'results.db', 1 measured and stored there\n"));
  T.SkippedSizes = {{"-DTILE=24", "n=64", "w.yaml:4:9: grid: no"}};
  EXPECT_TRUE(has(table(T), "-DTILE=24 is not launched at n=64: w.yaml:4:9: grid: no\n"));
}

TEST(ReportTable, AFailedCompileShowsItsFirstError) {
  TuneReport T = report();
  T.Variants[0].Status = VariantStatus::Frontend;
  T.Variants[0].Message =
      "clang++ could not compile 'k.cu' for sm_90:\nIn file included from k.cu:1:\nk.h:2:3: "
      "error: first\n  int x = error: no\nk.cu:9:1: error: second";
  std::string Text = table(T);
  EXPECT_TRUE(has(Text, "clang++ could not compile 'k.cu' for sm_90: k.h:2:3: error: first\n"));
}

TEST(LaunchLines, SayAllThatTheHostHasToDo) {
  VariantResult Row;
  Row.Launch.Grid = {2, 3, 1};
  Row.Launch.Block = {32, 1, 1};
  EXPECT_EQ(launchLines(Row.Launch, "n=64"),
            (std::vector<std::string>{"launch it at n=64 with grid (2, 3, 1) and block (32, 1, 1)"}));
  Row.Launch.SharedBytes = 128;
  Row.Launch.Hidden = {{HiddenParameter::GridX, 5}, {HiddenParameter::GridY, 7}};
  Row.Launch.PointerAlignment = 16;
  Row.Launch.ConstantCopies = {{1, 2048, "table"}};
  Row.Launch.UnwrittenVariables = {"cx", "cy"};
  std::vector<std::string> Lines = launchLines(Row.Launch, "n=64");
  ASSERT_EQ(Lines.size(), 4u);
  EXPECT_EQ(Lines[0],
            "launch it at n=64 with grid (2, 3, 1) and block (32, 1, 1), 128 bytes of dynamic shared "
            "memory, and after the author's arguments the integers grid.x = 5, grid.y = 7");
  EXPECT_EQ(Lines[1], "every buffer that is passed has to begin at a multiple of 16 bytes");
  EXPECT_EQ(Lines[2],
            "before each launch, on its stream, copy the buffer of argument 1, at most 2048 bytes, to table");
  EXPECT_EQ(Lines[3], "these variables in constant memory have to hold their initial values: cx, cy");
}
