//===- Tuner.h - A tuning run, phase by phase -------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_TUNER_H
#define GPUPRUNE_DRIVER_TUNER_H

#include "gpuprune/Driver/MeasurePhase.h"
#include "gpuprune/Driver/ModelPhase.h"
#include "gpuprune/Driver/Phase.h"
#include "gpuprune/Driver/StoredResults.h"
#include "gpuprune/Runtime/RunnerClient.h"
#include "gpuprune/Search/PortionChooser.h"
#include "gpuprune/Search/Space.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Variant/EnumerateVariants.h"
#include "gpuprune/Variant/KeptBuilds.h"

namespace gpuprune {

struct Bundle;
struct BundleResults;

struct TuneOptions {
  std::string Workload; ///< A YAML file or the folder of workload.yaml.
  std::string Device;   ///< Empty: sm_90, or that of the front-end bundle.
  unsigned Jobs = 0;    ///< Threads; 0: as many as there are cores.
  Phase StopAfter = Phase::Report;
  std::optional<SearchKind> Kind; ///< Without a value: see strategyOf().
  bool Exhaustive = false;        ///< Measure all distinct variants, not only the Pareto set.
  /// So many variants, where modelled times decide; 0: all. Without a value defaultAtMost().
  std::optional<size_t> BuildAtMost;
  size_t MeasureAtLeast = DefaultAtLeast;     ///< Variants to measure where the Pareto set has fewer.
  size_t MeasureOfCluster = DefaultOfCluster; ///< Of variants with the same metrics, so many; 0: all.
  bool MeasureTwins = false;                  ///< Also those whose machine code is that of another.
  bool KeepSpills = false;                    ///< Let variants that spill into the Pareto set.
  CheckMode Check = CheckMode::Staged;
  std::optional<SampleOptions> Sample; ///< Only so many variants of the space.
  std::vector<std::string> Variants;   ///< Instead of the space: these, all measured.
  /// Beside the space what it offers to each of its choices alone (Alone.h); of each choice, the
  /// Pareto set is measured, and more up to so many.
  std::optional<size_t> EachAlone;
  /// Write a bundle here: the front end's output where that is the last phase, else
  /// what the runner needs to measure.
  std::string BundleDirectory;
  /// Of a sequence, the shortest launches that take at most so much of its time together stay as written.
  double NegligiblePercent = 3;
  unsigned Launch = 0;                 ///< Of a sequence, the one to tune, from 1; 0: there is only one.
  RecordedPart Part;                   ///< Of a recording, what is launched.
  std::string Runner;                  ///< Command line of the runner.
  std::optional<double> BudgetSeconds; ///< For the whole run.
  MeasureOptions Measuring;
  DatabaseOptions Database;
};

/// What chooses the variants to measure: as it was asked for; else the model, unless all are measured, or
/// none, what is measured has to be known beforehand, or each choice is measured alone, for which all have to
/// be built. Of a sequence, and for a device without rates, the tuner goes back to SearchKind::Search then.
SearchKind strategyOf(const TuneOptions &Options);

/// Usage error where the strategy of \p Options cannot be combined with others of them.
llvm::Error checkStrategy(const TuneOptions &Options);

/// What earlier runs have built, as \p Asked says; null: nothing is kept.
std::unique_ptr<KeptBuilds> openKeptBuilds(const DatabaseOptions &Asked, const TuningTarget &Target);

/// One tuning run.
class Tuner {
public:
  Tuner(TuneOptions Options, Progress &Shown)
      : Options(std::move(Options)), Kind(strategyOf(this->Options)), Shown(Shown),
        Stored(this->Options.Database, Report, Shown) {}

  /// Runs the phases in order up to the last one asked for. A variant that
  /// fails is a row with a status; an error means that there is nothing to
  /// report at all.
  llvm::Expected<TuneReport> run();

  /// The same in two halves, which different threads may run: all that needs no GPU, and the rest,
  /// where prepare() succeeded. While one kernel is measured, another may be prepared. run() does not
  /// wait for all checks on the CPU before it measures.
  llvm::Error prepare();
  /// \p Seconds: how long it may take, in place of what is left of the budget.
  llvm::Expected<TuneReport> finish(std::optional<double> Seconds = std::nullopt);

  /// The runner that measured, for another run; null: there is none that could go on.
  std::unique_ptr<RunnerClient> takeRunner() { return std::move(Runner); }
  /// Measures by \p Other in place of one that is started for it, if that is not null.
  void giveRunner(std::unique_ptr<RunnerClient> Other) { Runner = std::move(Other); }

private:
  TuneOptions Options;
  SearchKind Kind;
  std::string WhyByMetrics; ///< Where nobody has said what searches, and the model cannot.
  Progress &Shown;
  TuneReport Report;
  StoredResults Stored;
  TuningTarget Target;
  std::unique_ptr<KeptBuilds> Kept; ///< Null: nothing is kept.
  std::unique_ptr<VariantBuilder> Builder;
  std::unique_ptr<EarlierLaunches> Earlier; ///< From when the references are built.
  std::vector<BuiltVariant> Variants;       ///< As the space enumerates them.
  References Compared;
  bool Measures = false; ///< Goes on to a GPU, if there is one.
  /// Whether variants are built and checked while others are measured already.
  bool MeasuresBeside = false;
  std::optional<TemporaryDirectory> CubinHome;
  std::optional<Budget> Limit;                      ///< Begins with run().
  std::unique_ptr<RunnerClient> Runner;             ///< Given, or started while variants are compiled.
  std::optional<std::vector<PlannedJob>> FirstJobs; ///< What finish() begins with; nothing: nothing to do.
  FinalRounds Final{FinalPlan()};
  size_t NotRun = 0;            ///< Jobs that the budget left out.
  size_t NotModelled = 0;       ///< The same of rows.
  size_t NotWanted = 0;         ///< Rows that would be left out with more time, too.
  bool IsBuiltAsWanted = false; ///< No budget has ended it.

  // The phases, each from when it can begin.
  std::unique_ptr<CpuCheck> Oracle;
  std::optional<RowChecks> Checks;        ///< Where the CPU checks.
  std::optional<BatchChooser> Chooser;    ///< What to measure; asked again after each batch.
  std::optional<ModelPhase> Modelling;    ///< Where the strategy asks the model.
  std::optional<PortionChooser> Portions; ///< Where buildsByModel().
  std::unique_ptr<BuildPhase> Building;
  std::optional<CheckPhase> Checking;
  ExpectedOutputs OnCpu;
  std::optional<JobPlanner> Jobs;

  llvm::Error prepareTo(bool MeasureAtOnce);
  llvm::Error prepareEnumerated();
  llvm::Error setUp();
  void noteKept();
  llvm::Error prepareBundle();
  bool writesFrontendBundle() const;
  llvm::Error writeFrontend();
  llvm::Error describeRun();
  llvm::Error enumerate();
  void addVariants(std::vector<Variant> All);
  void showWarnings();
  llvm::Error checkSequence() const;
  llvm::Expected<Space> makeSpace();
  llvm::Error checkSomethingIsLeft() const;
  llvm::StringRef cubinFolder() const;
  llvm::Error buildReferences();
  llvm::Error checkAuthor();
  void openPhases(double ReferencesCpuMs);
  void openChecks();
  BuildPhase::Settings building(double ReferencesCpuMs);
  llvm::Error buildAll();
  /// Whether what is built next depends on the modelled times of what is built.
  bool buildsByModel() const;
  size_t buildAtMost() const { return Options.BuildAtMost.value_or(defaultAtMost(Variants.size())); }
  llvm::Error buildByModel();
  bool knowsNoTimes() const;
  BuildPortion nextPortion();
  void noteBuilt();
  /// Then nothing is timed.
  bool modelChooses() const { return Kind == SearchKind::Model; }
  bool asksModel() const { return gpuprune::asksModel(Kind); }
  /// Then nothing is measured before all variants are known.
  bool choosesOfAll() const {
    return Kind != SearchKind::ModelGuided && (asksModel() || Kind == SearchKind::RegisterOccupancy);
  }
  /// What the strategy needs to know of the device.
  llvm::Error checkRates() const;
  bool hasRates() const;
  std::string whyNotByModel() const;
  void settleStrategy();
  Budget::Then afterCompiling(bool MeasuresAtOnce) const;
  ModelPhase modelling();
  void modelAll();
  void noteSpeedOfLight();
  EnumerateOptions enumerating() const {
    return {Options.Variants, Options.EachAlone.has_value(), Options.Sample};
  }
  PruneOptions pruning() const { return {*Target.Device, {Options.KeepSpills}}; }
  BatchOptions choosing() const;
  bool checksOnCpu() const { return Options.Check != CheckMode::Off && Options.StopAfter >= Phase::Check; }
  llvm::Error plan(llvm::ArrayRef<size_t> FirstBatch);
  llvm::Error writeBundleOf(std::vector<PlannedJob> Planned);
  void beginRunner();
  std::string whyNotMeasured(RunnerClient &Client);
  void measure(std::vector<PlannedJob> Planned);
  void noteBudget();
  void copyRows();
};

/// Joins what a runner wrote to the report its bundle carries.
llvm::Expected<TuneReport> reportOfBundle(llvm::StringRef Directory, llvm::StringRef ResultsFile);
/// The same of what has been read; the names are for messages.
llvm::Expected<TuneReport> joinResults(const Bundle &Carried, llvm::StringRef Directory,
                                       const BundleResults &Results, llvm::StringRef ResultsFile);

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_TUNER_H
