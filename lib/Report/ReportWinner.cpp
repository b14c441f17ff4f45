//===- ReportWinner.cpp - What a report says of its winner ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReportWinner.h"
#include "ReportTiming.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

static void printOneWinner(raw_ostream &OS, const TuneReport &Report, StringRef Title, size_t Row) {
  TimePair Times = Report.timesOf(Row);
  OS << formatv("{0}: {1} ms", Title, millisecondsText(*Times.VariantMs));
  if (Report.Work)
    OS << formatv(", {0} {1}", rateText(Report, Times.VariantMs), rateName(Report));
  if (Times.StockMs)
    OS << formatv(", {0:F2} times stock clang -O3 on the source as written ({1} ms)",
                  *Times.StockMs / *Times.VariantMs, millisecondsText(*Times.StockMs));
  OS << "\n  " << variantName(Report.Variants[Row]) << '\n';
}

/// How a program launches \p Row where its own launch is not that. The lines to replay it are device code
/// alone.
static void printIntoProgram(raw_ostream &OS, const TuneReport &Report, const VariantResult &Row) {
  if (std::string Line = headerLine(Report, Row); !Line.empty())
    OS << "\ninto a program, as a header (docs/tune-your-own-kernel.md):\n  " << Line << '\n';
  else if (!Report.NoHeader.empty())
    OS << "\nno header for a program: " << Report.NoHeader << '\n';
}

void printReplay(raw_ostream &OS, const TuneReport &Report, const VariantResult &Row, StringRef What,
                 StringRef Plugin) {
  ReplayLines Lines = replayLines(Report, Row, Plugin);
  OS << "\nreplay the " << What << ", device side:\n  ";
  if (!Lines.Clang.empty())
    OS << Lines.Clang << "\nor step by step:\n  ";
  OS << Lines.Opt << "\n  " << Lines.Llc << '\n';
  bool SameLaunch = Row.Launch.Grid == Report.Stock.Launch.Grid &&
                    Row.Launch.Block == Report.Stock.Launch.Block && Row.Launch.Hidden.empty();
  for (const std::string &Line : launchLines(Row.Launch, Report.Size))
    if (!SameLaunch || !StringRef(Line).starts_with("launch it"))
      OS << Line << '\n';
  printIntoProgram(OS, Report, Row);
}

json::Object replayToJSON(const TuneReport &Report, const VariantResult &Row) {
  ReplayLines Lines = replayLines(Report, Row);
  return json::Object{
      {"clang", Lines.Clang}, {"opt", Lines.Opt}, {"llc", Lines.Llc}, {"header", headerLine(Report, Row)}};
}

/// How far the winner is from what the GPU can do at all.
static void printSpeedOfLight(raw_ostream &OS, const TuneReport &Report, size_t Winner) {
  if (!Report.Light)
    return;
  OS << formatv("speed of light: {0} ms, if {1} never waited ({2}, at {3:F0} MHz)",
                millisecondsText(Report.Light->Ms), modelTermName(Report.Light->Bound),
                modelTermDescription(Report.Light->Bound), Report.Light->ClockMhz);
  if (std::optional<double> Ms = Report.timesOf(Winner).VariantMs)
    OS << formatv("; the best takes {0:F2} times as long", *Ms / Report.Light->Ms);
  OS << '\n';
}

void printWinners(raw_ostream &OS, const TuneReport &Report, StringRef Plugin) {
  std::optional<size_t> Best = Report.winner(), AuthorBest = Report.winner(/*AuthorOnly=*/true);
  if (!Best)
    return;
  const VariantResult &Row = Report.Variants[*Best];
  OS << '\n';
  if (std::optional<double> Written = Report.asWrittenIsBest()) {
    OS << formatv("best of all: the source as written, {0} ms\n", millisecondsText(*Written));
    printOneWinner(OS, Report, "fastest variant", *Best);
    OS << "build the source as it is\n";
    return;
  }
  printOneWinner(OS, Report, "best of all", *Best);
  if (std::string Defines = Report.authorDefinesText(); AuthorBest && !Defines.empty())
    printOneWinner(OS, Report, "best with the author's " + Defines, *AuthorBest);
  printSpeedOfLight(OS, Report, *Best);
  if (std::optional<double> Regret = Report.paretoRegret())
    OS << formatv(
        "regret: {0:F4} (best on the Pareto set over best of all); a random sample as large: {1:F4} "
        "(median of 100 seeds)\n",
        *Regret, Report.randomRegret().value_or(0));
  printReplay(OS, Report, Row, "best", Plugin);
}

} // namespace gpuprune
