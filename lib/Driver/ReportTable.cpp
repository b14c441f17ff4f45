//===- ReportTable.cpp - A tuning run's report for a person -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReportCheck.h"
#include "ReportTiming.h"
#include "gpuprune/Search/Strategy.h"
#include "gpuprune/Support/ColumnPrinter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// How work over time is told: flop as TFLOP/s, bytes as GB/s.
struct RateUnit {
  const char *Name;
  double PerSecond; ///< Of the work's unit.
};

} // namespace

static RateUnit rateUnit(StringRef WorkUnit) {
  return StringSwitch<RateUnit>(WorkUnit)
      .Case("flop", {"TFLOP/s", 1e12})
      .Case("byte", {"GB/s", 1e9})
      .Default({"G/s", 1e9});
}

template <typename T> static std::string cell(const std::optional<T> &Value, const char *Format) {
  return Value ? formatv(Format, *Value).str() : "-";
}

static std::string rate(const TuneReport &Report, std::optional<double> Ms) {
  if (!Report.Work || !Ms)
    return "-";
  return formatv("{0:F2}", *Report.Work / (*Ms * 1e-3) / rateUnit(Report.WorkUnit).PerSecond);
}

static std::string scientific(std::optional<double> Value) {
  if (!Value)
    return "-";
  std::string Text;
  raw_string_ostream(Text) << format("%.2e", *Value);
  return Text;
}

/// What marks a count that is not exact.
static StringRef sourceMark(const VariantResult &Row) {
  if (!Row.Instr || Row.Source == InstrSource::ExactStatic || Row.Source == InstrSource::ExactRun)
    return "";
  return Row.Source == InstrSource::Sampled ? "*" : "~";
}

static std::vector<std::string> cells(const TuneReport &Report, const VariantResult &Row, StringRef Name) {
  std::optional<std::string> Occupancy;
  if (Row.Occupancy)
    Occupancy = formatv("{0:F0}%", 100 * *Row.Occupancy);
  std::string Instr = cell(Row.Instr, "{0:F0}") + sourceMark(Row).str();
  return {variantStatusName(Row.Status).str(),
          cell(Row.Registers, "{0}"),
          cell(Row.SharedBytes, "{0}"),
          cell(Row.BlocksPerSM, "{0}"),
          Occupancy.value_or("-"),
          Instr,
          cell(Row.Regions, "{0:F0}"),
          scientific(Row.Efficiency),
          cell(Row.Utilization, "{0:F0}"),
          Row.Pareto ? "yes" : "",
          cpuCheckCell(Row),
          checkOutcomeName(Row.Check).str(),
          timeCell(Row.MedianMs, Row.SamplesMs),
          rate(Report, Row.MedianMs),
          Name.str()};
}

/// Measured rows first, fastest first; then the Pareto set, most efficient first.
static bool comesBefore(const VariantResult *A, const VariantResult *B) {
  auto Key = [](const VariantResult &R) {
    return std::tuple(!R.MedianMs, R.MedianMs.value_or(0), !R.Pareto, -R.Efficiency.value_or(0),
                      StringRef(R.Variant));
  };
  return Key(*A) < Key(*B);
}

static bool hasStoredResults(const TuneReport &Report) {
  return Report.Stock.FromDatabase ||
         any_of(Report.Variants, [](const VariantResult &Row) { return Row.FromDatabase; });
}

/// Where a row's check and times come from.
static std::string sourceOf(const VariantResult &Row) {
  if (Row.FromDatabase)
    return "database";
  return Row.Check != CheckOutcome::Skipped || Row.MedianMs ? "now" : "-";
}

static void printRows(raw_ostream &OS, const TuneReport &Report, const TableOptions &Options) {
  std::vector<const VariantResult *> Rows;
  for (const VariantResult &Row : Report.Variants)
    if (Options.AllRows || (!Row.isDuplicate() && (Row.Pareto || Row.MedianMs || isMeasured(Row))))
      Rows.push_back(&Row);
  if (Rows.empty())
    return;
  sort(Rows, comesBefore);
  // Only where there is something to tell apart.
  bool ShowSource = hasStoredResults(Report);
  auto WithSource = [&](std::vector<std::string> Cells, const std::string &Source) {
    if (ShowSource)
      Cells.insert(Cells.end() - 1, Source);
    return Cells;
  };
  ColumnPrinter Table(
      WithSource({"status", "regs", "shared", "B/SM", "occ", "Instr", "Regions", "Efficiency", "Utilization",
                  "Pareto", "CPU", "check", "ms", rateUnit(Report.WorkUnit).Name, "variant"},
                 "measured"));
  Table.add(WithSource(cells(Report, Report.Stock, "(as written, stock clang -O3)"), sourceOf(Report.Stock)));
  for (const VariantResult *Row : Rows)
    Table.add(WithSource(cells(Report, *Row, variantName(*Row)), sourceOf(*Row)));
  Table.print(OS);
  Rows.push_back(&Report.Stock);
  for (auto [Mark, Text] :
       {std::pair("*", "counted on the CPU for a sample of the threads"),
        std::pair("~",
                  "estimated: the launch alone does not decide it, and it could not be counted on the CPU")})
    if (any_of(Rows, [&](const VariantResult *Row) { return sourceMark(*Row) == Mark; }))
      OS << Mark << ' ' << Text << '\n';
}

static void printStatusCounts(raw_ostream &OS, const TuneReport &Report) {
  std::map<VariantStatus, size_t> Counts;
  size_t Duplicates = 0;
  for (const VariantResult &Row : Report.Variants)
    if (Row.isDuplicate())
      ++Duplicates;
    else
      ++Counts[Row.Status];
  if (Report.Variants.empty())
    return;
  OS << "variants: ";
  ListSeparator Comma;
  for (auto [Status, Count] : Counts)
    OS << Comma << Count << ' ' << variantStatusName(Status);
  if (Duplicates)
    OS << Comma << Duplicates << " with the same PTX and launch as another";
  OS << '\n';
}

/// What failed, and the first thing a tool said of it.
static std::string firstLines(StringRef Message) {
  auto [First, Rest] = Message.split('\n');
  return (First + (Rest.empty() ? "" : " ") + Rest.split('\n').first).str();
}

/// Failures that a search does not expect, the first few of many.
static void printFailures(raw_ostream &OS, const TuneReport &Report, const TableOptions &Options) {
  static constexpr VariantStatus Unexpected[] = {
      VariantStatus::Frontend, VariantStatus::CodeGen, VariantStatus::Ptxas, VariantStatus::Launch,
      VariantStatus::Fault,    VariantStatus::Timeout, VariantStatus::Wrong, VariantStatus::Runner};
  static constexpr size_t MostShown = 10;
  size_t Failures = 0;
  for (const VariantResult &Row : Report.Variants)
    if (is_contained(Unexpected, Row.Status) && !Row.isDuplicate())
      if (++Failures <= MostShown || Options.AllRows)
        OS << "  " << variantStatusName(Row.Status) << ": " << variantName(Row) << "\n    "
           << firstLines(Row.Message) << '\n';
  if (Failures > MostShown && !Options.AllRows)
    OS << "  and " << Failures - MostShown << " more; --all shows them\n";
}

/// Says where the driver's own occupancy is not the one the metrics rest on.
static void printOccupancyMismatches(raw_ostream &OS, const TuneReport &Report) {
  for (const VariantResult &Row : Report.Variants)
    if (!Row.isDuplicate() && Row.DriverBlocksPerSM && Row.DriverBlocksPerSM != Row.BlocksPerSM)
      OS << formatv("  occupancy: {0} blocks an SM computed, {1} by the driver: {2}\n",
                    Row.BlocksPerSM.value_or(0), *Row.DriverBlocksPerSM, variantName(Row));
}

static void printDatabase(raw_ostream &OS, const TuneReport &Report) {
  const DatabaseUse &Used = Report.Database;
  if (!Used.Path.empty())
    OS << formatv("database: {0} results from '{2}', {1} measured and stored there\n", Used.Taken,
                  Used.Stored, Used.Path);
  for (const std::string &Note : Used.Notes)
    OS << "warning: " << Note << '\n';
}

static void printPruning(raw_ostream &OS, const TuneReport &Report) {
  std::vector<size_t> Set;
  for (const auto &[Index, Row] : enumerate(Report.Variants))
    if (Row.Pareto && !Row.isDuplicate())
      Set.push_back(Index);
  if (Set.empty())
    return;
  std::vector<std::vector<size_t>> Clusters = clustersOf(Report.Variants, Set);
  size_t Timed = 0;
  for (const std::vector<size_t> &Cluster : Clusters)
    Timed += std::min(Cluster.size(), DefaultOfCluster);
  size_t Distinct = Report.distinct();
  OS << formatv("pruning: {0} of {1} on the Pareto set, ", Set.size(), Distinct);
  if (Timed != Set.size())
    OS << formatv("clusters of the same metrics: {0}, of each of which {1} suffice; ", Clusters.size(),
                  DefaultOfCluster);
  OS << formatv("{0:F1}% need not be timed\n", 100.0 * (Distinct - Timed) / Distinct);
}

static void printReduction(raw_ostream &OS, const TuneReport &Report) {
  if (Report.Variants.empty())
    return;
  OS << formatv("space: {0} variants ({1} combinations, {2} removed by constraints), {3} distinct\n",
                Report.Variants.size(), Report.Combinations, Report.RemovedByConstraints, Report.distinct());
  if (Report.SampledOf)
    OS << formatv("sample: {0} of {1} variants\n", Report.Variants.size(), Report.SampledOf);
  printPruning(OS, Report);
  if (Report.CpuMsPerVariant > 0)
    OS << formatv("cost: {0:F1} ms of CPU time a variant from bitcode to metrics\n", Report.CpuMsPerVariant);
}

static void printOneWinner(raw_ostream &OS, const TuneReport &Report, StringRef Title, size_t Row) {
  TimePair Times = Report.timesOf(Row);
  OS << formatv("{0}: {1} ms", Title, millisecondsText(*Times.VariantMs));
  if (Report.Work)
    OS << formatv(", {0} {1}", rate(Report, Times.VariantMs), rateUnit(Report.WorkUnit).Name);
  if (Times.StockMs)
    OS << formatv(", {0:F2} times stock clang -O3 on the source as written ({1} ms)",
                  *Times.StockMs / *Times.VariantMs, millisecondsText(*Times.StockMs));
  OS << "\n  " << variantName(Report.Variants[Row]) << '\n';
}

/// What the host has to launch, where that is not what the author launches.
static void printLaunch(raw_ostream &OS, const TuneReport &Report, const VariantResult &Row) {
  if (Row.Grid == Report.Stock.Grid && Row.Block == Report.Stock.Block && Row.Hidden.empty())
    return;
  auto Text = [](const Dim3 &D) { return formatv("({0}, {1}, {2})", D.X, D.Y, D.Z).str(); };
  OS << formatv("launch it at {0} with grid {1} and block {2}", Report.Size, Text(Row.Grid), Text(Row.Block));
  if (Row.DynamicShared)
    OS << formatv(", {0} bytes of dynamic shared memory", Row.DynamicShared);
  StringRef Separator = ", and behind the author's arguments the integers ";
  for (const HiddenArgument &A : Row.Hidden) {
    OS << Separator << A.Name << " = " << A.Value;
    Separator = ", ";
  }
  OS << '\n';
}

static void printWinners(raw_ostream &OS, const TuneReport &Report) {
  std::optional<size_t> Best = Report.winner(), AuthorBest = Report.winner(/*AuthorOnly=*/true);
  if (!Best)
    return;
  const VariantResult &Row = Report.Variants[*Best];
  OS << '\n';
  printOneWinner(OS, Report, "best of all", *Best);
  if (AuthorBest && !Report.AuthorDefines.empty())
    printOneWinner(OS, Report, "best with the author's " + Report.AuthorDefines, *AuthorBest);
  if (std::optional<double> Regret = Report.paretoRegret())
    OS << formatv(
        "regret: {0:F4} (best on the Pareto set over best of all); a random sample as large: {1:F4} "
        "(median of 100 seeds)\n",
        *Regret, Report.randomRegret().value_or(0));
  TimePair Times = Report.timesOf(*Best);
  if (Times.StockMs && *Times.StockMs < *Times.VariantMs)
    OS << "no variant that was measured is faster than the source as written: build it as it is\n";
  ReplayLines Lines = replayLines(Report, Row);
  OS << "\nreplay the best, device side:\n  " << Lines.Clang << "\nor step by step:\n  " << Lines.Opt
     << "\n  " << Lines.Llc << '\n';
  printLaunch(OS, Report, Row);
  if (Row.PointerAlignment > 1)
    OS << formatv("every buffer that is passed has to begin at a multiple of {0} bytes\n",
                  Row.PointerAlignment);
  for (const ConstantCopy &Copy : Row.ConstantCopies)
    OS << formatv(
        "before each launch, on its stream, copy the buffer of argument {0}, at most {1} bytes, to {2}\n",
        Copy.Argument, Copy.Bytes, Copy.Symbol);
}

static StringRef tripsNote(InstrSource Source) {
  switch (Source) {
  case InstrSource::ExactStatic:
    return "";
  case InstrSource::ExactRun:
    return " on average (counted)";
  case InstrSource::Sampled:
    return " on average (counted for some of the threads)";
  case InstrSource::Estimated:
    return " (assumed)";
  }
  llvm_unreachable("every source is covered");
}

static void printLoops(raw_ostream &OS, const TuneReport &Report) {
  for (const ReportLoop &L : Report.Loops) {
    OS.indent(2 * L.Depth) << "loop " << L.Number;
    if (L.Line)
      OS << " at line " << L.Line;
    OS << formatv(": {0:F0} iterations{1}\n", L.TripCount, tripsNote(L.Source));
  }
}

/// With an empty line before it, unless there is nothing in it.
static void printSection(raw_ostream &OS, function_ref<void(raw_ostream &)> Print) {
  std::string Text;
  raw_string_ostream Section(Text);
  Print(Section);
  if (!Text.empty())
    OS << '\n' << Text;
}

void printTable(raw_ostream &OS, const TuneReport &Report, const TableOptions &Options) {
  OS << formatv("kernel {0} of {1} for {2}, {3}\n", Report.Kernel, Report.Source, Report.Device, Report.Size);
  printLoops(OS, Report);
  if (!Report.Gpu.empty())
    OS << "measured on " << Report.Gpu << '\n';
  printClock(OS, Report);
  printSection(OS, [&](raw_ostream &Rows) { printRows(Rows, Report, Options); });
  printSection(OS, [&](raw_ostream &Notes) {
    printStatusCounts(Notes, Report);
    printFailures(Notes, Report, Options);
    printOccupancyMismatches(Notes, Report);
    printReduction(Notes, Report);
    printCpuCheck(Notes, Report);
    printAgreement(Notes, Report.Agreement);
    printDatabase(Notes, Report);
    printUnstable(Notes, Report);
  });
  printFinal(OS, Report);
  printWinners(OS, Report);
  if (!Report.BudgetNote.empty())
    OS << "\nbudget: " << Report.BudgetNote << '\n';
  if (!Report.NotMeasured.empty())
    OS << "\nnot measured: " << Report.NotMeasured << '\n';
}

} // namespace gpuprune
