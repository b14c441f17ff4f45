//===- ReportCheck.cpp - The check on the CPU in a report -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReportCheck.h"
#include "gpuprune/Support/Counted.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

std::string checkCell(const VariantResult &Row, CheckOutcome Outcome) {
  bool Right = Outcome == CheckOutcome::Bitwise || Outcome == CheckOutcome::Tolerance;
  return Right && !Row.OwnResult.empty() ? "own result" : checkOutcomeName(Outcome).str();
}

std::string cpuCheckCell(const VariantResult &Row) {
  if (Row.OnCpu.Outcome == CheckOutcome::Skipped)
    return "-";
  return checkCell(Row, Row.OnCpu.Outcome);
}

/// What differs within the tolerance, each text once.
static void printTolerated(raw_ostream &OS, const TuneReport &Report) {
  MapVector<std::pair<StringRef, StringRef>, size_t> Texts;
  for (const VariantResult &Row : Report.Variants) {
    if (Row.isDuplicate())
      continue;
    if (!Row.OnCpu.Tolerance.empty())
      ++Texts[{"on the CPU", Row.OnCpu.Tolerance}];
    if (!Row.OnGpu.Tolerance.empty())
      ++Texts[{"on the GPU", Row.OnGpu.Tolerance}];
  }
  static constexpr size_t MostShown = 5;
  for (const auto &[Text, Count] : ArrayRef(Texts.begin(), std::min(Texts.size(), MostShown)))
    OS << formatv("  tolerance {0}: {1} ({2})\n", Text.first, Text.second, counted(Count, "variant"));
  if (Texts.size() > MostShown)
    OS << formatv("  and {0} more such lines; JSON has them\n", Texts.size() - MostShown);
}

void printCpuCheck(raw_ostream &OS, const TuneReport &Report) {
  MapVector<CheckOutcome, size_t> Outcomes;
  MapVector<StringRef, size_t> Reasons;
  size_t Checked = 0, Runs = 0;
  for (const VariantResult &Row : Report.Variants) {
    if (Row.isDuplicate())
      continue;
    if (!Row.OnCpu.Note.empty())
      ++Reasons[StringRef(Row.OnCpu.Note).split('\n').first];
    if (Row.OnCpu.Outcome == CheckOutcome::Skipped)
      continue;
    ++Checked;
    Runs += Row.OnCpu.Sizes.size();
    ++Outcomes[Row.OnCpu.Outcome];
  }
  if (Checked) {
    OS << "on the CPU: ";
    ListSeparator Comma;
    for (const auto &[Outcome, Count] : Outcomes)
      OS << Comma << Count << ' ' << checkOutcomeName(Outcome);
    OS << formatv("; {0:F1} sizes and {1:F0} ms of CPU time per variant\n", double(Runs) / double(Checked),
                  Report.CheckCpuMs / double(Checked));
  }
  printTolerated(OS, Report);
  for (const auto &[Reason, Count] : Reasons)
    OS << formatv("  {0} not on the CPU, or not at all sizes: {1}\n", Count, Reason);
}

} // namespace gpuprune
