//===- ReportModel.cpp - What a report says of modelled times --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReportModel.h"
#include "ReportTiming.h"
#include "ReportWinner.h"
#include "gpuprune/Model/ModelTerm.h"
#include "gpuprune/Search/ModelChoice.h"
#include "gpuprune/Support/Counted.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

std::string modelledCell(const VariantResult &Row) {
  if (!Row.Modelled.Ms)
    return "-";
  return (Row.Modelled.IsEstimated ? "~" : "") + millisecondsText(*Row.Modelled.Ms);
}

std::string boundCell(const VariantResult &Row) {
  return Row.Modelled.Bound ? modelTermName(*Row.Modelled.Bound).str() : "-";
}

void printNotModelled(raw_ostream &OS, const TuneReport &Report) {
  MapVector<std::pair<unsigned, StringRef>, SmallVector<const VariantResult *, 1>> Reasons;
  for (const VariantResult &Row : Report.Variants)
    if (!Row.isDuplicate() && !Row.Modelled.Note.empty())
      Reasons[{unsigned(Row.Modelled.Ms.has_value()), Row.Modelled.Note}].push_back(&Row);
  for (const auto &[Reason, Rows] : Reasons) {
    OS << formatv("  {0}: {1}", Reason.first ? "modelled by an estimate only" : "not modelled",
                  variantName(*Rows.front()));
    if (Rows.size() > 1)
      OS << formatv(", and {0} more alike", Rows.size() - 1);
    OS << "\n    " << Reason.second << '\n';
  }
}

void printCycleSources(raw_ostream &OS, const TuneReport &Report) {
  MapVector<StringRef, size_t> Sources;
  for (const VariantResult &Row : Report.Variants)
    if (!Row.isDuplicate() && !Row.Scheduled.Note.empty())
      ++Sources[Row.Scheduled.Note];
  for (auto [Note, Rows] : Sources)
    OS << formatv("  cycles of {0}: {1}\n", counted(Rows, "variant"), Note);
}

bool choosesByModel(const TuneReport &Report) {
  bool IsUnmeasured = Report.Gpu.empty() && !Report.NotMeasured.empty() && !Report.RunnerFailed;
  return Report.Strategy == SearchKind::Model ||
         (Report.Strategy == SearchKind::ModelGuided && IsUnmeasured && Report.Stock.Modelled.Ms);
}

/// Nothing of a run that ended before its phase.
static bool hasModel(const TuneReport &Report) {
  return choosesByModel(Report) &&
         (Report.Stock.Modelled != ModelledRow() ||
          any_of(Report.Variants, [](const VariantResult &Row) { return Row.Modelled != ModelledRow(); }));
}

static std::string timeAndBound(const ModelledRow &Modelled) {
  return formatv("{0} ms{1}, bound by {2} ({3})", millisecondsText(*Modelled.Ms),
                 Modelled.IsEstimated ? ", an estimate" : "", modelTermName(*Modelled.Bound),
                 modelTermDescription(*Modelled.Bound));
}

static std::string checkText(const VariantResult &Row) {
  if (Row.OnCpu.Outcome == CheckOutcome::Skipped)
    return "its results were not checked" + (Row.OnCpu.Note.empty() ? "" : ": " + Row.OnCpu.Note);
  return formatv(
      "its results were checked on the CPU at {0}: {1} as the kernel's as written, at its author's launch",
      join(Row.OnCpu.Sizes, "; "),
      Row.OnCpu.Outcome == CheckOutcome::Bitwise ? "bitwise the same" : "within the tolerance the same");
}

/// As a record, which a build with the plugin applies: the line that writes it.
static void printRecordLine(raw_ostream &OS, const TuneReport &Report, const VariantResult &Row) {
  std::string File = Report.Kernel;
  std::replace_if(
      File.begin(), File.end(), [](char C) { return !isAlnum(C) && C != '_'; }, '_'); // "banded<float, 9>"
  if (!Row.Launch.ConstantCopies.empty())
    OS << "no tuning record: a build cannot copy a buffer to constant memory before each launch; this is for "
          "programs that do\n";
  else if (!Report.EmitArguments.empty() && Row.Parts.Defines.empty())
    OS << formatv("as a tuning record, which a build with the plugin applies, not measured:\n"
                  "  gpuprune emit {0} --to record --variant '{1}' -o {2}.{3}.gpuprune.json\n",
                  Report.EmitArguments, Row.text(), File, Report.Device);
}

void printModelChoice(raw_ostream &OS, const TuneReport &Report, StringRef Plugin) {
  if (!hasModel(Report))
    return;
  ModelChoice Choice = chooseByModel(Report.Variants, Report.Stock.Modelled);
  const VariantResult *Fastest = Choice.Fastest ? &Report.Variants[*Choice.Fastest] : nullptr;
  OS << "\nthe model's choice (modelled, not measured): ";
  if (!Choice.row()) {
    OS << "the source as written; " << Choice.WhyAsWritten << '\n';
    if (Report.Stock.Modelled.Ms)
      OS << "  as written: " << timeAndBound(Report.Stock.Modelled) << '\n';
    if (Fastest)
      OS << formatv("  modelled fastest: {0}\n    {1}\n", timeAndBound(Fastest->Modelled),
                    variantName(*Fastest));
    return;
  }
  OS << variantName(*Fastest) << "\n  modelled: " << timeAndBound(Fastest->Modelled)
     << "\n  as written: " << timeAndBound(Report.Stock.Modelled)
     << formatv(", {0:F2} times as long\n  {1}\n", *Report.Stock.Modelled.Ms / *Fastest->Modelled.Ms,
                checkText(*Fastest));
  printReplay(OS, Report, *Fastest, "choice", Plugin);
  printRecordLine(OS, Report, *Fastest);
}

json::Value modelChoiceToJSON(const TuneReport &Report) {
  if (!hasModel(Report))
    return nullptr;
  ModelChoice Choice = chooseByModel(Report.Variants, Report.Stock.Modelled);
  auto TextOf = [&](std::optional<size_t> Row) {
    return Row ? json::Value(Report.Variants[*Row].text()) : json::Value(nullptr);
  };
  json::Object Written{{"variant", TextOf(Choice.row())},
                       {"as_written", !Choice.row()},
                       {"why_as_written", Choice.WhyAsWritten},
                       {"least_gain", LeastModelledGain},
                       {"modelled_fastest", TextOf(Choice.Fastest)},
                       {"modelled_gain", nullptr},
                       {"replay", nullptr}};
  if (Choice.Fastest && Report.Stock.Modelled.Ms)
    Written["modelled_gain"] = *Report.Stock.Modelled.Ms / *Report.Variants[*Choice.Fastest].Modelled.Ms;
  if (Choice.row())
    Written["replay"] = replayToJSON(Report, Report.Variants[*Choice.row()]);
  return Written;
}

} // namespace gpuprune
