//===- TuningOptions.cpp - Options of the commands that tune ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TuningOptions.h"
#include "Completion.h"
#include "OptionParsers.h"
#include "RecorderLibraries.h"
#include "SubCommands.h"
#include "TuneCommand.h"
#include "gpuprune/Database/ResultDatabase.h"
#include "gpuprune/Runtime/Protocol.h"
#include "gpuprune/Support/ShellQuote.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace gpuprune {

static cl::opt<bool>
    Exhaustive("exhaustive",
               cl::desc("Measure all distinct variants and report the regret of the Pareto set"),
               cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::cat(Category));
static cl::opt<SearchKind> StrategyKind(
    "strategy", cl::desc("What chooses the variants to measure:"),
    cl::values(
        clEnumValN(
            SearchKind::Search, "search",
            "the metrics, and neighbours of the fastest (default\nwhere no modelled times are to be had)"),
        clEnumValN(SearchKind::Pareto, "pareto", "the Pareto set of the metrics alone"),
        clEnumValN(SearchKind::Model, "model",
                   "nothing is measured: the variant that is modelled fastest is the result"),
        clEnumValN(
            SearchKind::ModelGuided, "model-guided",
            "modelled times, corrected by what is measured (default; in a\nsurvey with --measure-alone=0)"),
        clEnumValN(SearchKind::ModelPareto, "model-pareto", "the Pareto set of two modelled times"),
        clEnumValN(SearchKind::Exhaustive, "es", "Liang et al.: everything, as with --exhaustive"),
        clEnumValN(SearchKind::RegisterOccupancy, "ros",
                   "Liang et al.: the highest occupancy times registers"),
        clEnumValN(SearchKind::PerformanceOccupancy, "pos",
                   "Liang et al.: the Pareto set of occupancy and cycles of a thread"),
        clEnumValN(SearchKind::FilteredPerformanceOccupancy, "posf",
                   "Liang et al.: of that set, occupancies from 0.3 to 0.5")),
    cl::init(SearchKind::Search), cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::cat(Category));
static cl::opt<size_t>
    BuildAtMost("build-at-most",
                cl::desc("Build N variants of a larger space, chosen by the modelled times of those\n"
                         "before, with --strategy=model, model-guided and model-pareto (default:\n"
                         "of more than 512 a tenth, 256 at least; 0: all)"),
                cl::value_desc("N"), cl::init(0), cl::sub(TuneCommand), cl::sub(SurveyCommand),
                cl::cat(Category));
static cl::opt<unsigned>
    MeasureAtLeast("measure-at-least",
                   cl::desc("Measure at least N variants: extend a small Pareto set layer by layer\n"
                            "(default: 24; with --strategy=search, which it implies)"),
                   cl::value_desc("N"), cl::init(DefaultAtLeast), cl::sub(TuneCommand),
                   cl::sub(SurveyCommand), cl::cat(Category));
static cl::opt<unsigned>
    MeasureOfCluster("measure-of-cluster",
                     cl::desc("Measure at most N variants per group with equal metrics (default: 8;\n"
                              "0: all; with --strategy=search, which it implies)"),
                     cl::value_desc("N"), cl::init(DefaultOfCluster), cl::sub(TuneCommand),
                     cl::sub(SurveyCommand), cl::cat(Category));
static cl::opt<double>
    Negligible("negligible",
               cl::desc("Of a sequence, leave the shortest launches as written that take at most\n"
                        "PERCENT of its time together (default: 3; 0 to 50; 0: none), with\n"
                        "--strategy=search and model-guided"),
               cl::value_desc("PERCENT"), cl::init(TuneOptions().NegligiblePercent), cl::sub(TuneCommand),
               cl::cat(Category));
static cl::opt<bool>
    KeepSpills("keep-spills",
               cl::desc("Allow variants that spill because of their register cap in the Pareto set"),
               cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::cat(Category));
static cl::opt<bool>
    MeasureTwins("measure-twins",
                 cl::desc("Also measure variants whose machine code equals that of another variant"),
                 cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::cat(Category));
static cl::opt<CheckMode> Check(
    "check", cl::desc("Which variants to check on the CPU"),
    cl::values(clEnumValN(CheckMode::Staged, "staged",
                          "variants to be measured, at all check sizes (default); without a GPU, "
                          "also the others, at the smallest"),
               clEnumValN(CheckMode::Quick, "quick", "all variants, at the smallest check size"),
               clEnumValN(CheckMode::All, "all", "all variants, at all check sizes"),
               clEnumValN(CheckMode::Off, "off", "none; measured variants are still checked on the GPU")),
    cl::init(CheckMode::Staged), cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::cat(Category));
static cl::opt<std::string>
    StopAfter("stop-after",
              cl::desc("Last phase to run: frontend, prepare, enumerate, transform, codegen, assemble,\n"
                       "count, prune, check, measure or report"),
              cl::value_desc("PHASE"), cl::init("report"), cl::sub(TuneCommand), cl::sub(SurveyCommand),
              cl::cat(Category));
static cl::opt<unsigned, false, NumberParser<0, 4096>>
    Jobs("jobs", cl::desc("Number of threads (default: one per core)"), cl::value_desc("N"), cl::init(0),
         cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::sub(EvaluateCommand), cl::cat(Category));
static cl::opt<std::string>
    Runner("runner",
           cl::desc("Command that starts the measuring process (default: the gpuprune-runner\n"
                    "next to this program)"),
           cl::value_desc("COMMAND"), cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::sub(EvaluateCommand),
           cl::cat(Category));
static cl::opt<unsigned, false, NumberParser<1, protocol::MaxSamples>>
    Samples("samples", cl::desc("Number of timings per variant (default: 7)"), cl::value_desc("N"),
            cl::init(7), cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::sub(EvaluateCommand),
            cl::cat(Category));
static cl::opt<double> MinSample("min-sample", cl::desc("Minimum length of a sample, in ms (default: 1)"),
                                 cl::value_desc("MS"), cl::init(MeasureOptions().MinSampleMs),
                                 cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::cat(Category));
static cl::opt<bool> FlushL2("flush-l2", cl::desc("Overwrite the L2 cache before each sample"),
                             cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::cat(Category));
static cl::opt<std::string>
    Rotate("rotate", cl::desc("Number of buffer copies that runs rotate through, or auto (default: 1)"),
           cl::value_desc("N"), cl::init("1"), cl::sub(TuneCommand), cl::sub(SurveyCommand),
           cl::cat(Category));
static cl::opt<std::string>
    Watchdog("watchdog",
             cl::desc("Stop a variant that takes more than FACTOR times the fastest time so\n"
                      "far (default: 5); 'off' disables it"),
             cl::value_desc("FACTOR"), cl::init("5"), cl::sub(TuneCommand), cl::sub(SurveyCommand),
             cl::cat(Category));
static cl::opt<unsigned>
    Rounds("rounds", cl::desc("Number of final rounds that time the fastest variants in turn (default: 21)"),
           cl::value_desc("N"), cl::init(MeasureOptions().Rounds), cl::sub(TuneCommand),
           cl::sub(SurveyCommand), cl::cat(Category));
static cl::opt<double>
    BudgetSeconds("budget",
                  cl::desc("Time limit of the whole run, in seconds; reports what is known by then"),
                  cl::value_desc("SECONDS"), cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::cat(Category));

static cl::opt<std::string>
    DatabaseFile("db",
                 cl::desc("Database of results; \"none\" uses none (default: $GPUPRUNE_DB, or\n"
                          "gpuprune/results.db in $XDG_CACHE_HOME or ~/.cache)"),
                 cl::value_desc("FILE"), cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::sub(DbCommand),
                 cl::sub(EvaluateCommand), cl::cat(Category));
static cl::opt<bool> NoDatabase("no-db",
                                cl::desc("Do not use a database: neither read results nor store them"),
                                cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::sub(EvaluateCommand),
                                cl::cat(Category));
static cl::opt<bool> Fresh("fresh", cl::desc("Ignore stored results; recompile, remeasure and store"),
                           cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::sub(EvaluateCommand),
                           cl::cat(Category));
static cl::opt<std::string>
    CompileCacheSize("compile-cache",
                     cl::desc("Size limit of the compile cache in MiB (default: 1024); 'off' disables\n"
                              "it"),
                     cl::value_desc("MiB"), cl::init("1024"), cl::sub(TuneCommand), cl::sub(SurveyCommand),
                     cl::sub(EvaluateCommand), cl::cat(Category));

DatabaseOptions databaseOptions() {
  std::string Named = DatabaseFile.empty() ? sys::Process::GetEnv("GPUPRUNE_DB").value_or("") : DatabaseFile;
  DatabaseOptions Options;
  Options.Demanded = !Named.empty();
  Options.Path = Options.Demanded ? Named : defaultDatabasePath();
  Options.Fresh = Fresh;
  if (NoDatabase || Named == "none")
    Options.Path.clear();
  return Options;
}

/// What says how variants are timed, checked before anything is compiled.
static Error readTimingOptions(TuneOptions &Options) {
  MeasureOptions &M = Options.Measuring;
  if (Rounds != 0 && (Rounds < FewestRounds || Rounds > 1000))
    return makeError(ErrorKind::Usage,
                     formatv("--rounds {0}: expected 0, for none, or {1} to 1000: fewer cannot "
                             "tell variants apart",
                             Rounds.getValue(), FewestRounds));
  if (Error E = checkedNumber("min-sample", MinSample, 0.001, 10000))
    return E;
  if (Error E = readRotate(Rotate, M.Rotate))
    return E;
  if (Error E = readWatchdog(Watchdog, M.Watchdog))
    return E;
  if (Error E = readSeconds(BudgetSeconds, Options.BudgetSeconds))
    return E;
  M.Samples = Samples;
  M.Rounds = Rounds;
  M.MinSampleMs = MinSample;
  M.FlushL2 = FlushL2;
  return Error::success();
}

Expected<TuneOptions> tuningOptions(const char *Argv0, StringRef Device) {
  Expected<Phase> Last = parsePhase(StopAfter);
  if (!Last)
    return Last.takeError();
  TuneOptions Options;
  if (Error E = readTimingOptions(Options))
    return std::move(E);
  if (Error E = checkedNumber("negligible", Negligible, 0, 50))
    return std::move(E);
  Options.NegligiblePercent = Negligible;
  Options.Device = Device.str();
  Options.Jobs = Jobs;
  Options.StopAfter = *Last;
  Options.Exhaustive = Exhaustive || StrategyKind == SearchKind::Exhaustive;
  if (StrategyKind.getNumOccurrences())
    Options.Kind = StrategyKind;
  else if (MeasureAtLeast.getNumOccurrences() || MeasureOfCluster.getNumOccurrences())
    Options.Kind = SearchKind::Search; // What they are about.
  if (BuildAtMost.getNumOccurrences())
    Options.BuildAtMost = BuildAtMost;
  Options.MeasureAtLeast = MeasureAtLeast;
  Options.MeasureOfCluster = MeasureOfCluster;
  Options.KeepSpills = KeepSpills;
  Options.MeasureTwins = MeasureTwins;
  Options.Check = Check;
  Options.Runner = Runner.empty() ? shellQuoted(defaultRunner(Argv0)) : Runner;
  Options.Database = databaseOptions();
  if (Error E = bytesOfMiB(CompileCacheSize).moveInto(Options.Database.CompileCacheBytes))
    return std::move(E);
  return Options;
}

std::vector<std::string> checkModes() { return wordsOf(Check.getParser()); }

} // namespace gpuprune
