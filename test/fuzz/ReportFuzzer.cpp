//===- ReportFuzzer.cpp - Any bundle and results, joined and printed ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The input is the text of plan.jsonl, a line with "----", and the text of the
// results.
//
//===----------------------------------------------------------------------===//
#include "Fuzzing.h"
#include "gpuprune/Driver/Tuner.h"
#include "gpuprune/Report/TuneReport.h"
#include "gpuprune/Runtime/Bundle.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::fuzz;

/// Forgets what it is given, so that huge output is a time-out and no lack of memory.
static void print(const TuneReport &Report) {
  for (bool All : {false, true}) {
    raw_null_ostream OS;
    printTable(OS, Report, {All});
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  auto [Plan, Lines] = asText(Data, Size).split("\n----\n");
  Expected<Bundle> Carried = parseBundle(Plan, "plan.jsonl");
  if (!Carried) {
    refusal(Carried.takeError());
    return 0;
  }
  Expected<BundleResults> Results = parseResults(Lines, "results.jsonl");
  if (!Results) {
    refusal(Results.takeError());
    return 0;
  }
  Expected<TuneReport> Report = joinResults(*Carried, "bundle", *Results, "results.jsonl");
  if (!Report) {
    refusal(Report.takeError());
    return 0;
  }
  print(*Report);
  json::Value Written = toJSON(*Report);
  Expected<TuneReport> Again = parseTuneReport(Written);
  if (!Again)
    require(false, "cannot read the report that was written: " + toString(Again.takeError()));
  require(toJSON(*Again) == Written, "another report than was written");
  return 0;
}
