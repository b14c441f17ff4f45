//===- TuneReport.h - What a tuning run found -------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain data, written as JSON and read back: a bundle carries it to the machine
// with the GPU and `gpuprune report` joins the results to it.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_REPORT_TUNEREPORT_H
#define GPUPRUNE_REPORT_TUNEREPORT_H

#include "gpuprune/Model/SpeedOfLight.h"
#include "gpuprune/Report/Agreement.h"
#include "gpuprune/Report/FinalReport.h"
#include "gpuprune/Report/Reproduction.h"
#include "gpuprune/Search/Result.h"
#include "gpuprune/Search/Space.h"
#include "gpuprune/Search/Strategy.h"
#include "gpuprune/Search/Variant.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace gpuprune {

/// A loop of the kernel as the passes number it.
struct ReportLoop {
  unsigned Number = 0, Depth = 1, Line = 0;
  double TripCount = 0;
  InstrSource Source = InstrSource::Estimated; ///< Of TripCount.
  bool operator==(const ReportLoop &) const = default;
  bool isExact() const { return Source == InstrSource::ExactStatic || Source == InstrSource::ExactRun; }
};

/// What the database was used for.
struct DatabaseUse {
  std::string Path;               ///< Empty: none.
  size_t Taken = 0, Stored = 0;   ///< Results.
  std::vector<std::string> Notes; ///< What went wrong with it.
};

/// What of building and checking was an earlier run's.
struct CompileCacheUse {
  struct Step {
    size_t Taken = 0, Kept = 0;
    bool operator==(const Step &) const = default;
  };
  std::string Path;                    ///< Of the folder; empty: none.
  Step Frontends;                      ///< Choices of defines that clang++ compiles.
  Step Codes, Assemblies;              ///< Variants on their way to PTX, and to machine code.
  Step Checks;                         ///< On the CPU; a variant may be checked at several depths.
  std::vector<std::string> Notes = {}; ///< What went wrong with it.
  bool operator==(const CompileCacheUse &) const = default;
};

/// A size of the workload that a choice of defines is not launched at.
struct SkippedSize {
  std::string Defines; ///< As a variant's text has them: "-DTILE=24".
  std::string Size;    ///< "n=64"
  std::string Reason;  ///< The place in the workload, the key and the values.
};

/// Medians in milliseconds; nothing where there is none.
struct TimePair {
  std::optional<double> VariantMs, StockMs;
};

/// What measuring took, from the first job to the end of the final rounds.
struct MeasuringCost {
  uint64_t Jobs = 0; ///< That were run, not those that the database answered.
  double OpeningMs =
      0; ///< For which nothing was done but wait for the runner to open the driver; not in WallMs.
  double WallMs = 0;
  double GpuMs = 0; ///< Of the GPU for all that was timed: warm-up and samples of candidates and baseline.
  uint64_t ReferencesOnHost = 0; ///< Bytes, as Result says.
  /// The GPU's share of the time.
  double busy() const { return WallMs > 0 ? GpuMs / WallMs : 0; }
  bool operator==(const MeasuringCost &) const = default;
};

struct TuneReport {
  std::string Workload; ///< Path of the YAML file.
  std::string Source;   ///< Path of the CUDA source.
  std::string Bitcode;  ///< Of a recording: path of its kernel's code as it was built. Else empty.
  std::vector<std::string> Flags;
  std::string Kernel;
  /// What kernel= has to say for passes that name none: empty where the source
  /// has one kernel only.
  std::string PassKernel;
  std::string Features;                     ///< Of the target, "+ptx88".
  std::string Device;                       ///< "sm_90"
  std::string Gpu;                          ///< Name of the GPU measured on; empty: not measured.
  std::string Size;                         ///< "n=4096"
  std::vector<DefineSetting> AuthorDefines; ///< Each define of the workload.
  std::optional<double> Work;               ///< In WorkUnit, of one run.
  std::string WorkUnit;                     ///< "flop"
  std::vector<ReportLoop> Loops;            ///< With the author's defines.
  std::vector<SkippedSize> SkippedSizes;
  std::vector<IterationSample> Samples;     ///< Of a repeated launch, at each size.
  uint64_t Combinations = 0;                ///< Of the whole space.
  std::vector<RemovedCombinations> Removed; ///< Of them, for each constraint.
  uint64_t Compiled = 0;      ///< Variants, whatever came of them; a budget may leave out the rest.
  double CpuMsPerVariant = 0; ///< From bitcode to metrics, of those and the kernels they are held against.
  double CheckCpuMs = 0;      ///< CPU time that the check on the CPU took.
  std::optional<MeasuringCost> Measuring; ///< Of a run that measured.
  SearchKind Strategy = SearchKind::Search;
  std::string BuildNote;  ///< What of the space was built; empty where it is all, or the budget's doing.
  std::string SearchNote; ///< Why the strategy asked for no more; empty where that is the same each time.
  uint64_t SampledOf = 0; ///< Variants of the space, where only a sample was made; else 0.
  bool Exhaustive = false;
  std::string StoppedAfter;  ///< Name of the last phase that ran.
  std::string NotMeasured;   ///< Why times are missing; empty where they are all there.
  bool RunnerFailed = false; ///< NotMeasured is the runner's failure, and no lack of a GPU.
  std::string BudgetNote;    ///< What the budget left out; empty where it left out nothing.
  std::string Fingerprint;   ///< Of what is to be measured: code, launches, problems, timing.
  DatabaseUse Database;
  CompileCacheUse Compiling;
  /// What the kernel did wrong on the GPU at its author's launch, or why it could not be launched there at
  /// all; nothing else was launched then. Empty: nothing.
  std::string AuthorFailure;
  std::string EmitArguments; ///< What 'gpuprune emit' takes beside a variant: "heat.yaml --launch=2".
  std::string NoHeader;      ///< Why the winner has no header; empty: it has one, or it is not known.
  VariantResult Stock;       ///< The source as written by stock clang -O3.
  std::vector<VariantResult> Variants;
  std::vector<SizeAgreement> Agreement;    ///< Of the prepared kernels, CPU with GPU.
  std::vector<Reproduction> Reproduced;    ///< Of a recorded launch.
  FinalReport Final;                       ///< The fastest, timed again together.
  std::optional<SpeedOfLight> Light;       ///< Of the winner; nothing where the model cannot tell.
  std::optional<protocol::Clock> GpuClock; ///< Over all that was timed.

  size_t distinct() const;    ///< Rows that are compiled and no duplicates.
  size_t paretoCount() const; ///< Of these, on the Pareto set.
  /// "-DTILE=16", as a variant's text begins.
  std::string authorDefinesText() const { return printVariant({AuthorDefines, std::nullopt, {}}); }
  /// Whether \p Row needs no other defines than the author's build has.
  bool hasAuthorDefines(const VariantResult &Row) const;
  /// Index of the row that won the final rounds or, where none of the rows in question
  /// took part, of the fastest that passed its check; \p AuthorOnly: among those with
  /// the author's own defines. Nothing where none was measured.
  std::optional<size_t> winner(bool AuthorOnly = false) const;
  /// The same of the final rounds alone. Among those that the test does not tell from
  /// the fastest, and that are estimated within 1 % of it, the one that asks least
  /// of a build: the author's defines, then fewer passes, then the shorter text.
  std::optional<size_t> finalWinner(bool AuthorOnly) const;
  /// Where the source as written takes no longer than the winner, in the same rounds: its time in
  /// milliseconds. Then that is the result: a search never makes anything slower.
  std::optional<double> asWrittenIsBest() const;
  /// What is told of a row: medians of the final rounds where it took part.
  TimePair timesOf(size_t Row) const;
  /// Widens GpuClock by \p Seen.
  void noteClock(const protocol::Clock &Seen);
  /// Best on the Pareto set over best of all; only of an exhaustive run.
  std::optional<double> paretoRegret() const;
  /// Of a random sample as large as the Pareto set, median of 100 seeds.
  std::optional<double> randomRegret() const;
};

/// Whether a row has a time that counts: measured, and its results right.
bool isMeasured(const VariantResult &Row);

llvm::json::Value toJSON(const TuneReport &Report);

/// Input error that names the field that is missing or of another type.
llvm::Expected<TuneReport> parseTuneReport(const llvm::json::Value &Value);

inline constexpr char PluginName[] = "libGpuPrune.so";

struct TableOptions {
  bool AllRows = false; ///< Else the Pareto set and what was measured.
  /// Instead so many of the distinct variants, the best: by time where they were measured, else
  /// by the metrics.
  std::optional<size_t> Top = std::nullopt;
  std::string Plugin = PluginName; ///< Path of the plugin here.
};

/// The report as a person reads it.
void printTable(llvm::raw_ostream &OS, const TuneReport &Report, const TableOptions &Options);

/// The command lines that make \p Row's PTX again with \p Plugin, a path. Of a recording none of clang++,
/// whose flags nobody knows.
struct ReplayLines {
  std::string Clang, Opt, Llc;
};
ReplayLines replayLines(const TuneReport &Report, const VariantResult &Row,
                        llvm::StringRef Plugin = PluginName);

/// The command line that writes the header by which a program launches \p Row, the winner. Empty where it is
/// launched as its author launches the kernel, or has no header.
std::string headerLine(const TuneReport &Report, const VariantResult &Row);

} // namespace gpuprune

#endif // GPUPRUNE_REPORT_TUNEREPORT_H
