//===- RowJsonTest.cpp - Rows of a report as JSON -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RowJson.h"
#include "ExpectedTesting.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace gpuprune;

namespace {

/// Of each field another value than the default. A field that is missing here does not compile.
HostCheck fullCheck() {
  HostCheck C;
  auto &[Outcome, Launch, Sizes, Note, Tolerance] = C;
  Outcome = CheckOutcome::Tolerance;
  Launch = CheckOutcome::Bitwise;
  Sizes = {"n=64", "n=192"};
  Note = "not at n=4096";
  Tolerance = "n=64: buffer out";
  return C;
}

Measurement fullMeasurement() {
  Measurement M;
  auto &[Outcome, Tolerance, SamplesMs, MedianMs, WarmupStable, LaunchesPerSample, ClockMinMhz, ClockMaxMhz,
         BaselineSamplesMs, BaselineMedianMs, DriverBlocksPerSM, FromDatabase] = M;
  Outcome = CheckOutcome::Wrong;
  Tolerance = "n=64: buffer in";
  SamplesMs = {0.1, 1.0 / 3, 0.2};
  MedianMs = 0.2;
  WarmupStable = false;
  LaunchesPerSample = 7;
  ClockMinMhz = 1500;
  ClockMaxMhz = 1980;
  BaselineSamplesMs = {2.5};
  BaselineMedianMs = 2.5;
  DriverBlocksPerSM = 3;
  FromDatabase = true;
  return M;
}

VariantResult fullRow() {
  VariantResult R;
  auto &[Parts, Status, Message, Refusal, Twin, Launch, MachineCode, Registers, SharedBytes, LocalBytes,
         SpillStoreBytes, SpillLoadBytes, BlocksPerSM, Occupancy, Limiter, Instr, Regions, Source, InstrNote,
         Efficiency, Utilization, Pareto, Modelled, Scheduled, OwnResult, NoWin, OnCpu, OnGpu] = R;
  Parts = test::valueOf(parseVariant("-DTILE=8 block=32,4,1 gpu-block-coarsen<x=2>"));
  Status = VariantStatus::Refused;
  Message = "two\nlines";
  Refusal = RefusalKind::MayBeWritten;
  Twin = {1, TwinKind::MachineCode};
  Launch = {{11, 12, 13}, {14, 15, 16}, 17, {{HiddenParameter::GridX, 18}}, {{3, 2048, "table"}}, 16, 50};
  MachineCode = "c0de";
  Registers = 21;
  SharedBytes = uint64_t(1) << 40;
  LocalBytes = 23;
  SpillStoreBytes = 24;
  SpillLoadBytes = 25;
  BlocksPerSM = 26;
  Occupancy = 0.28;
  Limiter = OccupancyLimiter::Barriers;
  Instr = 1e15 + 0.5;
  Regions = 31;
  Source = InstrSource::Sampled;
  InstrNote = "loop at line 3: 16 is assumed";
  Efficiency = 3.93e-12;
  Utilization = 227.25;
  Pareto = true;
  Modelled = {0.29, 0.31, ModelTerm::L2Port, true, "1 loop of PTX is 2 in machine code"};
  Scheduled = {5432.5, "memory latency 263 cycles"};
  OwnResult = "reads blockDim";
  NoWin = "cannot be launched";
  OnCpu = fullCheck();
  OnGpu = fullMeasurement();
  return R;
}

/// \p Row, the first of a table of two, written and read.
VariantResult readBack(const VariantResult &Row) {
  VariantResult Table[2] = {Row};
  json::Value Written = rowToJSON(Row, Table);
  json::Value Parsed = cantFail(json::parse(formatv("{0}", Written).str()));
  VariantResult Read;
  json::Path::Root Root("row");
  EXPECT_TRUE(fromJSON(Parsed, Read, Root)) << toString(Root.getError());
  EXPECT_FALSE(errorToBool(readTexts(ReadRow{*Parsed.getAsObject(), Read}, Table)));
  return Read;
}

} // namespace

TEST(RowJson, EveryFieldComesBack) {
  VariantResult Full = fullRow();
  EXPECT_EQ(readBack(Full), Full);
  EXPECT_EQ(readBack(VariantResult()), VariantResult());
}

/// Else the above would not show that a field is written and read.
TEST(RowJson, NoFieldOfTheTestHasItsDefault) {
  VariantResult Table[2] = {fullRow()};
  json::Object Default = rowToJSON(VariantResult(), {});
  for (const auto &[Key, Value] : rowToJSON(Table[0], Table))
    if (const json::Value *Usual = Default.get(Key))
      EXPECT_NE(Value, *Usual) << Key.str();
}

TEST(RowJson, WhatEarlierReportsLackIsTheDefault) {
  VariantResult Full = fullRow(), Table[2] = {Full};
  json::Object Written = rowToJSON(Full, Table);
  for (StringRef Key : {"cpu_check", "cpu_check_launch", "cpu_check_sizes", "cpu_check_note",
                        "cpu_check_tolerance", "check_tolerance", "from_database", "machine_code",
                        "instr_source", "instr_note", "own_result", "no_win", "refusal", "duplicate_by"})
    EXPECT_TRUE(Written.erase(Key)) << Key.str();
  VariantResult Read;
  json::Path::Root Root("row");
  ASSERT_TRUE(fromJSON(json::Value(std::move(Written)), Read, Root)) << toString(Root.getError());
  EXPECT_EQ(Read.OnCpu, HostCheck());
  EXPECT_FALSE(Read.OnGpu.FromDatabase);
  EXPECT_EQ(Read.Source, InstrSource::ExactStatic);
  EXPECT_EQ(Read.Refusal, std::nullopt);
  EXPECT_TRUE(Read.isTwinBy(TwinKind::Ptx));
}
