//===- ReportTable.cpp - A tuning run's report for a person -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReportCheck.h"
#include "ReportModel.h"
#include "ReportTiming.h"
#include "ReportWinner.h"
#include "gpuprune/CodeGen/ClangOutput.h"
#include "gpuprune/Search/Strategy.h"
#include "gpuprune/Support/ColumnPrinter.h"
#include "gpuprune/Support/Counted.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

template <typename T> static std::string cell(const std::optional<T> &Value, const char *Format) {
  return Value ? formatv(Format, *Value).str() : "-";
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

/// Of a count that is estimated.
static std::string whyEstimated(const VariantResult &Row) {
  // As lib/CodeGen/CompilationFacts.cpp notes it.
  auto [Why, Tried] = StringRef(Row.InstrNote).split("not counted by running: ");
  if (!Tried.empty())
    return "the launch alone does not decide it, and it could not be counted on the CPU: " +
           Tried.split("; ").first.str();
  // Nothing was tried for machine code that does not follow the IR, and where the state in front of the
  // launch would have to be made first.
  return Why.split("; ").first.str() + ", and it was not counted by running";
}

static std::vector<std::string> cells(const TuneReport &Report, const VariantResult &Row, StringRef Name) {
  std::optional<std::string> Occupancy;
  if (Row.Occupancy)
    Occupancy = formatv("{0:F0}%", 100 * *Row.Occupancy);
  std::optional<uint64_t> Shared;
  if (Row.SharedBytes)
    Shared = *Row.SharedBytes + Row.Launch.SharedBytes;
  std::string Instr = cell(Row.Instr, "{0:F0}") + sourceMark(Row).str();
  return {variantStatusName(Row.Status).str(),
          cell(Row.Registers, "{0}"),
          cell(Shared, "{0}"),
          cell(Row.BlocksPerSM, "{0}"),
          Occupancy.value_or("-"),
          Instr,
          cell(Row.Regions, "{0:F0}"),
          scientific(Row.Efficiency),
          cell(Row.Utilization, "{0:F0}"),
          Row.Pareto ? "yes" : "",
          modelledCell(Row),
          boundCell(Row),
          cell(Row.Scheduled.Cycles, "{0:F0}"),
          cpuCheckCell(Row),
          checkCell(Row, Row.OnGpu.Outcome),
          timeCell(Row.OnGpu.MedianMs, Row.OnGpu.SamplesMs),
          rateText(Report, Row.OnGpu.MedianMs),
          Name.str()};
}

/// Measured rows first, fastest first; then modelled ones, these fastest first, too; then the Pareto set,
/// most efficient first.
static bool comesBefore(const VariantResult *A, const VariantResult *B) {
  auto Key = [](const VariantResult &R) {
    return std::tuple(!R.OnGpu.MedianMs, R.OnGpu.MedianMs.value_or(0), !R.Modelled.Ms,
                      R.Modelled.Ms.value_or(0), !R.Pareto, -R.Efficiency.value_or(0), R.text());
  };
  return Key(*A) < Key(*B);
}

static bool hasStoredResults(const TuneReport &Report) {
  return Report.Stock.OnGpu.FromDatabase ||
         any_of(Report.Variants, [](const VariantResult &Row) { return Row.OnGpu.FromDatabase; });
}

/// Where a row's check and times come from.
static std::string sourceOf(const VariantResult &Row) {
  if (Row.OnGpu.FromDatabase)
    return "database";
  return Row.OnGpu.Outcome != CheckOutcome::Skipped || Row.OnGpu.MedianMs ? "now" : "-";
}

/// Those that the table has, in its order; \p LeftOut counts what --top leaves out.
static std::vector<const VariantResult *> chosenRows(const TuneReport &Report, const TableOptions &Options,
                                                     size_t &LeftOut) {
  // Nothing is measured, and the Pareto set decides nothing.
  static constexpr size_t MostModelled = 20;
  std::optional<size_t> Top = Options.Top;
  if (!Top && !Options.AllRows && choosesByModel(Report))
    Top = MostModelled;
  std::vector<const VariantResult *> Rows;
  for (const VariantResult &Row : Report.Variants) {
    bool IsBest = Row.isGood() && !Row.isDuplicate() && (Row.Registers || Row.Instr);
    bool IsUsual = !Row.isDuplicate() && (Row.Pareto || Row.OnGpu.MedianMs || isMeasured(Row));
    if (Top ? IsBest : Options.AllRows || IsUsual)
      Rows.push_back(&Row);
  }
  sort(Rows, comesBefore);
  LeftOut = Top && Rows.size() > *Top ? Rows.size() - *Top : 0;
  Rows.resize(Rows.size() - LeftOut);
  return Rows;
}

/// Prints those columns of \p Lines, whose first is the header, that say something in some row.
static void printColumns(raw_ostream &OS, ArrayRef<std::vector<std::string>> Lines) {
  auto SaysSomething = [&](size_t Column) {
    return any_of(drop_begin(Lines), [&](const std::vector<std::string> &Cells) {
      return !is_contained({"", "-", "skipped"}, StringRef(Cells[Column]));
    });
  };
  SmallVector<size_t, 16> Columns;
  for (size_t Column = 0; Column < Lines.front().size(); ++Column)
    if (SaysSomething(Column))
      Columns.push_back(Column);
  auto Kept = [&](const std::vector<std::string> &Cells) {
    std::vector<std::string> Line;
    for (size_t Column : Columns)
      Line.push_back(Cells[Column]);
    return Line;
  };
  ColumnPrinter Table(Kept(Lines.front()));
  for (const std::vector<std::string> &Cells : drop_begin(Lines))
    Table.add(Kept(Cells));
  Table.print(OS);
}

static void printRows(raw_ostream &OS, const TuneReport &Report, const TableOptions &Options) {
  size_t LeftOut = 0;
  std::vector<const VariantResult *> Rows = chosenRows(Report, Options, LeftOut);
  if (Rows.empty())
    return;
  // Only where there is something to tell apart.
  bool ShowSource = hasStoredResults(Report);
  auto WithSource = [&](std::vector<std::string> Cells, const std::string &Source) {
    if (ShowSource)
      Cells.insert(Cells.end() - 1, Source);
    return Cells;
  };
  std::vector<std::vector<std::string>> Lines{
      WithSource({"status", "regs", "shared", "B/SM", "occ", "Instr", "Regions", "Efficiency", "Utilization",
                  "Pareto", "modelled ms", "bound", "cycles", "CPU", "check", "ms", rateName(Report).str(),
                  "variant"},
                 "measured"),
      WithSource(cells(Report, Report.Stock, "(as written, stock clang -O3)"), sourceOf(Report.Stock))};
  for (const VariantResult *Row : Rows)
    Lines.push_back(WithSource(cells(Report, *Row, variantName(*Row)), sourceOf(*Row)));
  printColumns(OS, Lines);
  if (LeftOut)
    OS << formatv("[{0}]\n", counted(LeftOut, "more distinct variant"));
  Rows.push_back(&Report.Stock);
  auto HasMark = [](StringRef Mark) {
    return [Mark](const VariantResult *Row) { return sourceMark(*Row) == Mark; };
  };
  if (any_of(Rows, HasMark("*")))
    OS << "* counted on the CPU for a sample of the threads\n";
  if (auto Row = find_if(Rows, HasMark("~")); Row != Rows.end())
    OS << "~ estimated: " << whyEstimated(**Row) << '\n';
}

/// Why passes refused, the most frequent reason first.
static void printRefusals(raw_ostream &OS, const TuneReport &Report) {
  std::map<RefusalKind, size_t> Counts;
  std::map<RefusalKind, const VariantResult *> Firsts;
  for (const VariantResult &Row : Report.Variants)
    if (Row.Refusal && !Row.isDuplicate()) {
      ++Counts[*Row.Refusal];
      Firsts.try_emplace(*Row.Refusal, &Row);
    }
  if (Counts.empty())
    return;
  std::vector<std::pair<RefusalKind, size_t>> Sorted(Counts.begin(), Counts.end());
  stable_sort(Sorted, [](const auto &A, const auto &B) { return A.second > B.second; });
  OS << "refused: ";
  ListSeparator Comma;
  for (const auto &[Kind, Count] : Sorted)
    OS << Comma << Count << ' ' << refusalName(Kind);
  OS << " (docs/refusals.md)\n";
  for (const auto &[Kind, Count] : Sorted)
    if (!Firsts[Kind]->Message.empty())
      OS << "  such as: " << StringRef(Firsts[Kind]->Message).split('\n').first << '\n';
}

static void printStatusCounts(raw_ostream &OS, const TuneReport &Report) {
  std::map<VariantStatus, size_t> Counts;
  std::map<TwinKind, size_t> Duplicates;
  for (const VariantResult &Row : Report.Variants)
    if (Row.isDuplicate())
      ++Duplicates[Row.Twin->By];
    else
      ++Counts[Row.Status];
  if (Report.Variants.empty())
    return;
  OS << "variants: ";
  ListSeparator Comma;
  for (auto [Status, Count] : Counts)
    OS << Comma << Count << ' ' << variantStatusName(Status);
  for (auto [Kind, Count] : Duplicates)
    OS << Comma << Count << " with the same " << (Kind == TwinKind::Ptx ? "PTX" : "machine code")
       << " and launch as another";
  OS << '\n';
  printRefusals(OS, Report);
}

/// What failed, and the first thing a tool said of it.
static std::string firstLines(StringRef Message) {
  StringRef Said = firstErrorLine(Message);
  return (Message.split('\n').first + (Said.empty() ? "" : " ") + Said).str();
}

/// Failures that a search does not expect, the first few of many.
static void printFailures(raw_ostream &OS, const TuneReport &Report, const TableOptions &Options) {
  static constexpr VariantStatus Unexpected[] = {
      VariantStatus::Frontend, VariantStatus::CodeGen, VariantStatus::Ptxas, VariantStatus::Launch,
      VariantStatus::Fault,    VariantStatus::Timeout, VariantStatus::Wrong, VariantStatus::Runner};
  static constexpr size_t MostShown = 10;
  // What is wrong with a choice of defines is wrong with all of its variants alike.
  MapVector<std::pair<unsigned, StringRef>, SmallVector<const VariantResult *, 1>> Failures;
  for (const VariantResult &Row : Report.Variants)
    if (is_contained(Unexpected, Row.Status) && !Row.isDuplicate())
      Failures[{unsigned(Row.Status), Row.Message}].push_back(&Row);
  size_t Shown = 0, NotShown = 0;
  for (const auto &[Failure, Rows] : Failures) {
    if (++Shown > MostShown && !Options.AllRows) {
      NotShown += Rows.size();
      continue;
    }
    OS << "  " << variantStatusName(Rows.front()->Status) << ": " << variantName(*Rows.front());
    if (Rows.size() > 1)
      OS << formatv(", and {0} more alike", Rows.size() - 1);
    OS << "\n    " << firstLines(Failure.second) << '\n';
  }
  if (NotShown)
    OS << "  and " << NotShown << " more; --all shows them\n";
}

/// Why rows that are right must not win, each reason once.
static void printNoWin(raw_ostream &OS, const TuneReport &Report) {
  MapVector<StringRef, size_t> Reasons;
  for (const VariantResult &Row : Report.Variants)
    if (!Row.mayWin() && Row.isGood() && !Row.isDuplicate())
      ++Reasons[Row.NoWin];
  for (const auto &[Reason, Count] : Reasons)
    OS << formatv("  {0} cannot win: {1}\n", Count, Reason);
}

/// Says where the driver's own occupancy is not the one the metrics rest on.
static void printOccupancyMismatches(raw_ostream &OS, const TuneReport &Report) {
  for (const VariantResult &Row : Report.Variants)
    if (!Row.isDuplicate() && Row.OnGpu.DriverBlocksPerSM && Row.OnGpu.DriverBlocksPerSM != Row.BlocksPerSM)
      OS << formatv("  occupancy: {0} blocks per SM computed, {1} by the driver: {2}\n",
                    Row.BlocksPerSM.value_or(0), *Row.OnGpu.DriverBlocksPerSM, variantName(Row));
}

static void printDatabase(raw_ostream &OS, const TuneReport &Report) {
  const DatabaseUse &Used = Report.Database;
  if (!Used.Path.empty() && (Used.Taken || Used.Stored))
    OS << formatv("database: {0} from '{2}', {1} measured and stored there\n", counted(Used.Taken, "result"),
                  Used.Stored, Used.Path);
  for (const std::string &Note : Used.Notes)
    OS << "warning: " << Note << '\n';
}

/// Where an earlier run has done a part of the work.
static void printCompileCache(raw_ostream &OS, const TuneReport &Report) {
  const CompileCacheUse &Used = Report.Compiling;
  std::vector<std::string> Parts;
  auto Add = [&](const auto &Step, StringRef One, StringRef Many) {
    if (Step.Taken)
      Parts.push_back(counted(Step.Taken, One, Many));
  };
  Add(Used.Frontends, "choice of defines", "choices of defines");
  Add(Used.Codes, "compile", "compiles");
  Add(Used.Assemblies, "cubin of a variant", "cubins of variants");
  Add(Used.Checks, "check on the CPU", "checks on the CPU");
  if (!Parts.empty())
    OS << formatv("from earlier runs: {0} ('{1}')\n", join(Parts, ", "), Used.Path);
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
  OS << formatv("pruning: {0} of {1} on the Pareto set", Set.size(), Distinct);
  if (asksModelledTimes(Report.Strategy)) { // Which does not go by the set.
    OS << " of the metrics\n";
    return;
  }
  OS << ", ";
  if (Timed != Set.size())
    OS << formatv("clusters of the same metrics: {0}, of each of which {1} suffice; ", Clusters.size(),
                  DefaultOfCluster);
  OS << formatv("{0:F1}% need not be timed\n", 100.0 * (Distinct - Timed) / Distinct);
}

/// The variants, and what made them fewer or distinct; nothing of what did not happen.
static void printSpace(raw_ostream &OS, const TuneReport &Report) {
  size_t Count = Report.Variants.size();
  OS << "space: " << counted(Count, "variant");
  if (Report.SampledOf)
    OS << formatv(", a sample of {0}", Report.SampledOf);
  auto Removed = make_filter_range(Report.Removed, [](const RemovedCombinations &R) { return R.Count != 0; });
  if (!Removed.empty()) {
    OS << " (" << counted(Report.Combinations, "combination");
    for (const RemovedCombinations &Constraint : Removed)
      OS << formatv(", {0} removed by {1}", Constraint.Count, Constraint.Constraint);
    OS << ')';
  } else if (Report.Combinations > std::max<uint64_t>(Count, Report.SampledOf))
    OS << " (" << counted(Report.Combinations, "combination") << ')';
  if (size_t Distinct = Report.distinct())
    OS << formatv(", {0} distinct", Distinct);
  OS << '\n';
}

/// \p Name is the phase at which a run stops; whether it went beyond codegen.
static bool assembles(StringRef Name) {
  return !is_contained({"frontend", "prepare", "enumerate", "transform", "codegen"}, Name);
}

static void printMeasuring(raw_ostream &OS, const TuneReport &Report) {
  if (!Report.Measuring || Report.Measuring->Jobs == 0)
    return;
  const MeasuringCost &Cost = *Report.Measuring;
  OS << formatv("measuring: {0} in {1:F1} s, {2:P0} of it the GPU ran what was timed",
                counted(Cost.Jobs, "job"), Cost.WallMs / 1000, Cost.busy());
  if (Cost.OpeningMs >= 50)
    OS << formatv("; {0:F1} s before it the driver was opened", Cost.OpeningMs / 1000);
  OS << '\n';
  if (Cost.ReferencesOnHost != 0)
    OS << formatv(
        "the GPU had no room for {0:F1} MiB of reference outputs: they were compared on the host, which "
        "takes longer; smaller sizes avoid it\n",
        double(Cost.ReferencesOnHost) / (1 << 20));
}

static std::string describe(const IterationSample &Sample) {
  std::string Text = formatv("at {0} iterations {1} {2}", Sample.Size, join(Sample.Compared, ", "),
                             Sample.IsTune ? "are compared and timed" : "are compared");
  if (!Sample.Others.empty())
    Text += formatv(", {0} only where the whole sequence runs", join(Sample.Others, ", "));
  return Text;
}

static void printReduction(raw_ostream &OS, const TuneReport &Report) {
  if (Report.Variants.empty())
    return;
  printSpace(OS, Report);
  printPruning(OS, Report);
  if (!Report.BuildNote.empty())
    OS << "built: " << Report.BuildNote << '\n';
  if (Report.Compiled && Report.CpuMsPerVariant > 0)
    OS << formatv("cost: {0:F1} ms of CPU time per variant from bitcode to {1}\n", Report.CpuMsPerVariant,
                  assembles(Report.StoppedAfter) ? "metrics" : "PTX");
  printMeasuring(OS, Report);
  if (!Report.SearchNote.empty())
    OS << "search: " << Report.SearchNote << '\n';
  for (const IterationSample &Sample : Report.Samples)
    OS << describe(Sample) << '\n';
  for (const SkippedSize &Skipped : Report.SkippedSizes)
    OS << formatv("{0} is not launched at {1}: {2}\n", Skipped.Defines, Skipped.Size, Skipped.Reason);
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

static void printReproduction(raw_ostream &OS, const TuneReport &Report) {
  if (std::string Text = reproductionText(Report.Reproduced); !Text.empty())
    OS << "the program's results: " << Text << '\n';
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
    printNoWin(Notes, Report);
    printNotModelled(Notes, Report);
    printCycleSources(Notes, Report);
    printOccupancyMismatches(Notes, Report);
    printReduction(Notes, Report);
    printCpuCheck(Notes, Report);
    printAgreement(Notes, Report.Agreement);
    printReproduction(Notes, Report);
    printDatabase(Notes, Report);
    printCompileCache(Notes, Report);
    printUnstable(Notes, Report);
  });
  printFinal(OS, Report);
  printWinners(OS, Report, Options.Plugin);
  printModelChoice(OS, Report, Options.Plugin);
  if (!Report.BudgetNote.empty())
    OS << "\nbudget: " << Report.BudgetNote << '\n';
  if (!Report.NotMeasured.empty())
    OS << "\nnot measured: " << Report.NotMeasured << '\n';
}

} // namespace gpuprune
