//===- ReportJsonTest.cpp - A report through JSON and back --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ExpectedTesting.h"
#include "gpuprune/Report/TuneReport.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace gpuprune;

namespace {

/// No field has its default value, and no two the same.
VariantResult fullRow() {
  VariantResult R;
  R.Parts = test::valueOf(parseVariant("-DTILE=8 gpu-block-coarsen<x=2>"));
  R.Status = VariantStatus::Spills;
  R.Message = "8 bytes, \"quoted\"\n";
  R.Refusal = RefusalKind::MayBeWritten;
  R.Twin = {1, TwinKind::MachineCode};
  R.MachineCode = "c0de";
  R.Launch.Grid = {11, 12, 13};
  R.Launch.Block = {14, 15, 16};
  R.Launch.SharedBytes = uint64_t(1) << 40;
  R.Launch.ConstantCopies = {{3, 2048, "table"}};
  R.Launch.PointerAlignment = 16;
  R.Registers = 21;
  R.SharedBytes = 22;
  R.LocalBytes = 23;
  R.SpillStoreBytes = 24;
  R.SpillLoadBytes = 25;
  R.BlocksPerSM = 26;
  R.OnGpu.DriverBlocksPerSM = 27;
  R.Occupancy = 0.28;
  R.Limiter = OccupancyLimiter::Registers;
  R.Instr = 1e15 + 0.5;
  R.Source = InstrSource::Estimated;
  R.InstrNote = "loop at line 3: 16 is assumed";
  R.Regions = 31;
  R.Efficiency = 3.93e-12;
  R.Utilization = 227.25;
  R.Pareto = true;
  R.Modelled = {0.29, 0.31, ModelTerm::L2Port, true, "1 loop of PTX is 2 in machine code"};
  R.OnGpu.Outcome = CheckOutcome::Tolerance;
  R.OnGpu.SamplesMs = {0.1, 0.3, 0.2};
  R.OnGpu.MedianMs = 0.2;
  R.OnGpu.BaselineSamplesMs = {1.0 / 3};
  R.OnGpu.BaselineMedianMs = 1.0 / 3;
  return R;
}

TuneReport fullReport() {
  TuneReport T;
  T.Workload = "a b/workload.yaml";
  T.Source = "a b/\"k\".cu";
  T.Flags = {"-I", "x y"};
  T.Kernel = "k";
  T.PassKernel = "_Z1kv";
  T.Device = "sm_90";
  T.Features = "+ptx88";
  T.Gpu = "H200";
  T.Size = "n=4096";
  T.AuthorDefines = {{"TILE", "16"}};
  T.Work = 2e15;
  T.WorkUnit = "flop";
  T.Loops = {{1, 2, 30, 4.5, InstrSource::ExactRun}};
  T.SkippedSizes = {{"-DTILE=24", "n=64", "w.yaml:4:9: grid: no"}};
  T.Compiled = 2;
  T.Combinations = 41;
  T.Removed = {{"x <= 4", 42}};
  T.CpuMsPerVariant = 43.5;
  T.Measuring = {7, 1000.5, 640.25, 4096};
  T.Exhaustive = true;
  T.Strategy = SearchKind::ModelGuided;
  T.SearchNote = "all 2 variants that the model can rank were measured";
  T.StoppedAfter = "prune";
  T.NotMeasured = "no GPU";
  T.RunnerFailed = true;
  T.Fingerprint = "0123456789abcdef";
  T.Agreement.emplace_back();
  T.Agreement[0].Variant = "-DTILE=8";
  T.Agreement[0].Outputs = {{"C", "11", "12", protocol::Difference{1, 2, 3, 4, 5, "6", "7"}}};
  T.Light = {0.125, ModelTerm::L2, 1755};
  T.Stock = fullRow();
  T.Variants = {fullRow(), VariantResult()};
  return T;
}

std::string text(const json::Value &Value) { return formatv("{0:2}", Value); }

/// The error of a report whose field \p Key is \p Value.
std::string errorWith(StringRef Key, json::Value Value, bool InRow) {
  json::Value Report = toJSON(fullReport());
  json::Object &Top = *Report.getAsObject();
  (InRow ? *Top.getArray("variants")->front().getAsObject() : Top)[Key] = std::move(Value);
  return test::inputErrorOf(parseTuneReport(Report).takeError());
}

} // namespace

TEST(ReportJson, EveryFieldComesBack) {
  json::Value Written = toJSON(fullReport());
  Expected<json::Value> Read = json::parse(text(Written));
  ASSERT_TRUE(bool(Read)) << toString(Read.takeError());
  TuneReport Again = test::valueOf(parseTuneReport(*Read));
  EXPECT_EQ(text(toJSON(Again)), text(Written));
  const VariantResult &Row = Again.Variants.front();
  EXPECT_EQ(Row.Source, InstrSource::Estimated);
  EXPECT_EQ(Row.InstrNote, "loop at line 3: 16 is assumed");
  EXPECT_EQ(Row.Limiter, OccupancyLimiter::Registers);
  EXPECT_EQ(Row.Launch.SharedBytes, uint64_t(1) << 40);
  EXPECT_EQ(Row.Efficiency, 3.93e-12);
  EXPECT_EQ(Row.Launch.ConstantCopies, (std::vector<ConstantCopy>{{3, 2048, "table"}}));
  EXPECT_EQ(Row.Twin, (TwinRow{1, TwinKind::MachineCode}));
  EXPECT_EQ(Row.MachineCode, "c0de");
  EXPECT_EQ(Row.OnGpu.BaselineMedianMs, 1.0 / 3);
  EXPECT_EQ(Row.Refusal, RefusalKind::MayBeWritten);
  EXPECT_EQ(Again.Light, (SpeedOfLight{0.125, ModelTerm::L2, 1755}));
  EXPECT_NE(errorWith("speed_of_light", json::Object{{"ms", 1}, {"bound", "luck"}, {"clock_mhz", 1}}, false),
            "");
  EXPECT_NE(errorWith("speed_of_light", json::Object{{"ms", 0}, {"bound", "l2"}, {"clock_mhz", 1}}, false),
            "");
}

TEST(ReportJson, RowsOfBeforeRefusalsHadAFieldAreRead) {
  json::Value Written = toJSON(fullReport());
  for (json::Value &Row : *Written.getAsObject()->getArray("variants"))
    EXPECT_TRUE(Row.getAsObject()->erase("refusal"));
  EXPECT_EQ(test::valueOf(parseTuneReport(Written)).Variants.front().Refusal, std::nullopt);
  EXPECT_NE(errorWith("refusal", "Unheard", /*InRow=*/true), "");
}

TEST(ReportJson, RowsOfBeforeMachineCodeWasComparedAreRead) {
  json::Value Written = toJSON(fullReport());
  for (json::Value &Row : *Written.getAsObject()->getArray("variants"))
    EXPECT_TRUE(Row.getAsObject()->erase("duplicate_by") && Row.getAsObject()->erase("machine_code"));
  VariantResult Row = test::valueOf(parseTuneReport(Written)).Variants.front();
  EXPECT_TRUE(Row.isTwinBy(TwinKind::Ptx));
  EXPECT_EQ(Row.MachineCode, "");
  EXPECT_NE(errorWith("duplicate_by", "name", /*InRow=*/true), "");
}

TEST(ReportJson, WhatIsNotKnownIsNullAndComesBackSo) {
  json::Value Written = toJSON(fullReport());
  const json::Object &Empty = *(*Written.getAsObject()->getArray("variants"))[1].getAsObject();
  for (StringRef Key :
       {"duplicate_of", "duplicate_by", "registers", "shared_bytes", "local_bytes", "spill_store_bytes",
        "spill_load_bytes", "blocks_per_sm", "driver_blocks_per_sm", "occupancy", "limiter", "instr",
        "instr_source", "regions", "efficiency", "utilization", "median_ms", "baseline_median_ms"}) {
    ASSERT_TRUE(Empty.get(Key)) << Key.str();
    EXPECT_EQ(Empty.get(Key)->kind(), json::Value::Null) << Key.str();
  }
  VariantResult Again = test::valueOf(parseTuneReport(Written)).Variants[1];
  EXPECT_FALSE(Again.Registers || Again.Instr || Again.Limiter || Again.OnGpu.MedianMs || Again.Twin);
}

TEST(ReportJson, ATextThatIsNoVariantIsTold) {
  EXPECT_NE(errorWith("variant", "-D=1", /*InRow=*/true).find("expected the name of a macro after -D"),
            std::string::npos);
  EXPECT_NE(errorWith("author_defines", "-DTILE", /*InRow=*/false).find("expected '=' after -DTILE"),
            std::string::npos);
  EXPECT_NE(errorWith("duplicate_of", "gpu-unroll<", /*InRow=*/true).find("not a tuning report: variant"),
            std::string::npos);
  EXPECT_NE(errorWith("duplicate_of", "gpu-unroll", /*InRow=*/true)
                .find("'-DTILE=8 gpu-block-coarsen<x=2>' is a duplicate of 'gpu-unroll', which is none"),
            std::string::npos);
}

TEST(ReportJson, AWrongFieldIsNamed) {
  EXPECT_NE(errorWith("device", 90, /*InRow=*/false).find("device"), std::string::npos);
  EXPECT_NE(errorWith("status", "fine", /*InRow=*/true).find("variants[0].status"), std::string::npos);
  EXPECT_NE(errorWith("limiter", "luck", /*InRow=*/true).find("variants[0].limiter"), std::string::npos);
  EXPECT_NE(errorWith("instr_source", "", /*InRow=*/true).find("instr_source"), std::string::npos);
  EXPECT_NE(errorWith("check", nullptr, /*InRow=*/true).find("check"), std::string::npos);
  EXPECT_NE(errorWith("grid", json::Array{1, 2, 3, 4}, /*InRow=*/true).find("grid"), std::string::npos);
  EXPECT_NE(errorWith("registers", "many", /*InRow=*/true).find("registers"), std::string::npos);
  EXPECT_NE(errorWith("samples_ms", json::Array{"1"}, /*InRow=*/true).find("samples_ms"), std::string::npos);
  test::inputErrorOf(parseTuneReport(json::Array{}).takeError());
  test::inputErrorOf(parseTuneReport(json::Object{}).takeError());
}
