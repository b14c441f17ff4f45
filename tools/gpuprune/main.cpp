//===- main.cpp - The command line of gpuprune ------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Options and exit codes only; what a command does is lib/Driver's.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "Completion.h"
#include "ExitCode.h"
#include "Help.h"
#include "OptionParsers.h"
#include "Output.h"
#include "SequenceCommand.h"
#include "SurveyCommand.h"
#include "gpuprune/Database/ResultDatabase.h"
#include "gpuprune/Driver/ExplainReport.h"
#include "gpuprune/Driver/Tuner.h"
#include "gpuprune/Runtime/Protocol.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Interrupt.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Support/ShellQuote.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace gpuprune;

namespace {

enum class Format { Table, Json };

cl::OptionCategory Category("GpuPrune options");
cl::SubCommand TuneCommand("tune", "Find the fastest variant of a kernel");
cl::SubCommand SurveyCommand("survey", "Tell what each pass does to each of many kernels");
cl::SubCommand MetricsCommand("metrics",
                              "Print counts, regions, resources and occupancy of the kernels of a file");
cl::SubCommand EmitCommand("emit", "Write one variant as IR, PTX or cubin");
cl::SubCommand ExplainCommand("explain",
                              "Print what a kernel does with memory, line by line, and its occupancy");
cl::SubCommand DevicesCommand("devices", "Print the table of devices, or all of one");
cl::SubCommand PassesCommand("passes", "Print the passes and their options");
cl::SubCommand DbCommand("db", "What is in the database of results: list, show KEY, prune or export");
cl::SubCommand ReportCommand("report", "Join a runner's results to the bundle they belong to");

cl::opt<std::string> TunedWorkload(cl::Positional, cl::Required, cl::desc("WORKLOAD"), cl::sub(TuneCommand),
                                   cl::cat(Category));
cl::list<std::string> SurveyedPlaces(cl::Positional, cl::OneOrMore, cl::desc("FOLDER..."),
                                     cl::sub(SurveyCommand), cl::cat(Category));
cl::opt<std::string> EmittedWorkload(cl::Positional, cl::Required, cl::desc("WORKLOAD"), cl::sub(EmitCommand),
                                     cl::cat(Category));
cl::opt<std::string> ExplainedWorkload(cl::Positional, cl::Required, cl::desc("WORKLOAD"),
                                       cl::sub(ExplainCommand), cl::cat(Category));
cl::opt<std::string> MetricsFile(cl::Positional, cl::Required, cl::desc("FILE.{cu,bc,ll}"),
                                 cl::sub(MetricsCommand), cl::cat(Category));
cl::opt<std::string> BundleToReport(cl::Positional, cl::Required, cl::desc("BUNDLE"), cl::sub(ReportCommand),
                                    cl::cat(Category));
cl::opt<std::string> ShownDevice(cl::Positional, cl::desc("[DEVICE]"), cl::sub(DevicesCommand),
                                 cl::cat(Category));

cl::opt<std::string>
    Device("device",
           cl::desc("What to compile for, of 'gpuprune devices' (default: sm_90, or that of the bundle)"),
           cl::value_desc("sm_XX"), cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::sub(MetricsCommand),
           cl::sub(EmitCommand), cl::sub(ExplainCommand), cl::cat(Category));
cl::opt<unsigned>
    LaunchNumber("launch", cl::desc("Only launch N of a sequence, after the launches before it as written"),
                 cl::value_desc("N"), cl::sub(TuneCommand), cl::sub(EmitCommand), cl::sub(ExplainCommand),
                 cl::cat(Category));
cl::opt<Format, false, ChoiceParser<Format>>
    OutputFormat("format", cl::desc("How the result is written"),
                 cl::values(clEnumValN(Format::Table, "table", "for a person"),
                            clEnumValN(Format::Json, "json", "the same as data")),
                 cl::init(Format::Table), cl::sub(TuneCommand), cl::sub(SurveyCommand),
                 cl::sub(MetricsCommand), cl::sub(ReportCommand), cl::sub(DevicesCommand), cl::sub(DbCommand),
                 cl::sub(PassesCommand), cl::sub(ExplainCommand), cl::cat(Category));
cl::opt<std::string> Output("o", cl::desc("Where the result goes (default: standard output)"),
                            cl::value_desc("FILE"), cl::init("-"), cl::sub(TuneCommand),
                            cl::sub(SurveyCommand), cl::sub(EmitCommand), cl::sub(MetricsCommand),
                            cl::sub(ReportCommand), cl::sub(DevicesCommand), cl::sub(DbCommand),
                            cl::sub(PassesCommand), cl::sub(ExplainCommand), cl::cat(Category));
cl::opt<bool> AllRows("all",
                      cl::desc("A row for every variant, not only the Pareto set and what was measured"),
                      cl::sub(TuneCommand), cl::sub(ReportCommand), cl::cat(Category));

cl::opt<unsigned, false, NumberParser<1, 1000000>>
    Top("top", cl::desc("Rows for the N best variants only: by time, else by the metrics"),
        cl::value_desc("N"), cl::init(0), cl::sub(TuneCommand), cl::sub(ReportCommand), cl::cat(Category));

cl::opt<bool> Exhaustive("exhaustive",
                         cl::desc("Measure all distinct variants and report the regret of the Pareto set"),
                         cl::sub(TuneCommand), cl::cat(Category));
cl::opt<bool> PrintSpace("print-space", cl::desc("Print the space as a workload file writes it, and end"),
                         cl::sub(TuneCommand), cl::cat(Category));
cl::opt<unsigned>
    MeasureAtLeast("measure-at-least",
                   cl::desc("Where the Pareto set has fewer variants, measure also those that the set\n"
                            "alone dominates, then those that only these dominate, up to N (24)"),
                   cl::value_desc("N"), cl::init(DefaultAtLeast), cl::sub(TuneCommand),
                   cl::sub(SurveyCommand), cl::cat(Category));
cl::opt<unsigned> MeasureOfCluster("measure-of-cluster",
                                   cl::desc("Of variants with the same metrics, measure so many (8); 0: all"),
                                   cl::value_desc("N"), cl::init(DefaultOfCluster), cl::sub(TuneCommand),
                                   cl::sub(SurveyCommand), cl::cat(Category));
cl::opt<bool> KeepSpills("keep-spills",
                         cl::desc("Let variants into the Pareto set that spill under their register cap"),
                         cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::cat(Category));
cl::opt<bool> MeasureTwins("measure-twins",
                           cl::desc("Measure also variants whose machine code is that of another"),
                           cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::cat(Category));
cl::opt<CheckMode>
    Check("check", cl::desc("What is checked on the CPU"),
          cl::values(clEnumValN(CheckMode::Staged, "staged",
                                "variants to be measured at all check sizes; without a GPU also the rest, at "
                                "the smallest"),
                     clEnumValN(CheckMode::Quick, "quick", "all at the smallest check size"),
                     clEnumValN(CheckMode::All, "all", "all at all check sizes"),
                     clEnumValN(CheckMode::Off, "off", "nothing; what is measured is checked on the GPU")),
          cl::init(CheckMode::Staged), cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::cat(Category));
cl::opt<std::string>
    StopAfter("stop-after",
              cl::desc("Last phase: frontend, prepare, enumerate, transform, codegen, assemble,\n"
                       "count, prune, check, measure or report"),
              cl::value_desc("PHASE"), cl::init("report"), cl::sub(TuneCommand), cl::sub(SurveyCommand),
              cl::cat(Category));
cl::opt<unsigned, false, NumberParser<0, 4096>> Jobs("jobs", cl::desc("Threads (default: one a core)"),
                                                     cl::value_desc("N"), cl::init(0), cl::sub(TuneCommand),
                                                     cl::sub(SurveyCommand), cl::cat(Category));
cl::opt<std::string>
    BundleDirectory("bundle",
                    cl::desc("Write cubins and plan for gpuprune-runner instead of measuring here; with\n"
                             "--stop-after=frontend bitcode to go on from without clang++"),
                    cl::value_desc("DIR"), cl::sub(TuneCommand), cl::cat(Category));
cl::opt<std::string>
    Runner("runner",
           cl::desc("Command that starts the measuring process (default: the gpuprune-runner\n"
                    "beside this program)"),
           cl::value_desc("COMMAND"), cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::cat(Category));
cl::opt<unsigned, false, NumberParser<1, protocol::MaxSamples>>
    Samples("samples", cl::desc("Timings of each variant"), cl::value_desc("N"), cl::init(7),
            cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::cat(Category));
cl::opt<double> MinSample("min-sample",
                          cl::desc("Milliseconds a sample of a short kernel lasts at least (default 1)"),
                          cl::value_desc("MS"), cl::init(MeasureOptions().MinSampleMs), cl::sub(TuneCommand),
                          cl::sub(SurveyCommand), cl::cat(Category));
cl::opt<bool> FlushL2("flush-l2", cl::desc("Write over the L2 cache before each sample"),
                      cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::cat(Category));
cl::opt<std::string> Rotate("rotate",
                            cl::desc("Copies of the buffers that runs use in turn, or auto (default 1)"),
                            cl::value_desc("N"), cl::init("1"), cl::sub(TuneCommand), cl::sub(SurveyCommand),
                            cl::cat(Category));
cl::opt<std::string> Watchdog("watchdog",
                              cl::desc("Stop a variant that takes so many times as long as the fastest so\n"
                                       "far, or off (default 5)"),
                              cl::value_desc("FACTOR"), cl::init("5"), cl::sub(TuneCommand),
                              cl::sub(SurveyCommand), cl::cat(Category));
cl::opt<unsigned> Rounds("rounds",
                         cl::desc("Interleaved rounds of the fastest variants at the end (default 21)"),
                         cl::value_desc("N"), cl::init(MeasureOptions().Rounds), cl::sub(TuneCommand),
                         cl::sub(SurveyCommand), cl::cat(Category));
cl::opt<double> BudgetSeconds("budget",
                              cl::desc("Seconds the whole run may take; what is known by then is reported"),
                              cl::value_desc("SECONDS"), cl::sub(TuneCommand), cl::sub(SurveyCommand),
                              cl::cat(Category));
cl::opt<double> KernelBudget("kernel-budget", cl::desc("Seconds that each kernel may take"),
                             cl::value_desc("SECONDS"), cl::sub(SurveyCommand), cl::cat(Category));
cl::opt<unsigned>
    MeasureAlone("measure-alone",
                 cl::desc("Variants to measure of each pass alone, where there are so many (6)"),
                 cl::value_desc("N"), cl::init(6), cl::sub(SurveyCommand), cl::cat(Category));
cl::opt<std::string> JsonOutput("json", cl::desc("Write the result as JSON, too, to this file"),
                                cl::value_desc("FILE"), cl::sub(TuneCommand), cl::sub(SurveyCommand),
                                cl::sub(ReportCommand), cl::cat(Category));
cl::list<std::string>
    PassPlugins("load-pass-plugin",
                cl::desc("Library of LLVM passes that pipelines may name beside the own ones"),
                cl::value_desc("FILE"), cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::sub(EmitCommand),
                cl::sub(MetricsCommand), cl::cat(Category));
cl::list<std::string>
    TunedVariants("variant",
                  cl::desc("Instead of the space this variant, measured in any case; may be\n"
                           "given several times"),
                  cl::value_desc("TEXT"), cl::sub(TuneCommand), cl::cat(Category));
cl::opt<unsigned> Sample("sample", cl::desc("Only so many variants of the space, chosen at random"),
                         cl::value_desc("N"), cl::init(0), cl::sub(TuneCommand), cl::cat(Category));
cl::opt<uint64_t> Seed("seed", cl::desc("Of --sample; the same one chooses the same variants (default: 1)"),
                       cl::value_desc("S"), cl::init(1), cl::sub(TuneCommand), cl::cat(Category));
cl::opt<bool> Quiet("quiet", cl::desc("No progress"), cl::sub(TuneCommand), cl::sub(SurveyCommand),
                    cl::cat(Category));

cl::opt<std::string>
    DatabaseFile("db",
                 cl::desc("Database of results; \"none\" for none (default: $GPUPRUNE_DB, else\n"
                          "gpuprune/results.db in $XDG_CACHE_HOME or ~/.cache)"),
                 cl::value_desc("FILE"), cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::sub(DbCommand),
                 cl::cat(Category));
cl::opt<bool> NoDatabase("no-db", cl::desc("Neither take results from a database nor store them"),
                         cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::cat(Category));
cl::opt<bool> Fresh("fresh", cl::desc("Measure and compile again what is known, and store that"),
                    cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::cat(Category));
cl::opt<std::string>
    CompileCacheSize("compile-cache",
                     cl::desc("Keep what is compiled and checked beside the database, up to so many\n"
                              "MiB (default: 1024), or off"),
                     cl::value_desc("MiB"), cl::init("1024"), cl::sub(TuneCommand), cl::sub(SurveyCommand),
                     cl::cat(Category));
cl::opt<std::string> DatabaseAction(cl::Positional, cl::Required, cl::desc("list|show|prune|export"),
                                    cl::sub(DbCommand), cl::cat(Category));
cl::opt<std::string> ResultKey(cl::Positional, cl::desc("[KEY]"), cl::sub(DbCommand), cl::cat(Category));
cl::opt<std::string> OfWorkload("workload", cl::desc("Only results whose workload's path contains this"),
                                cl::value_desc("TEXT"), cl::sub(DbCommand), cl::cat(Category));
cl::opt<std::string> OfKernel("kernel", cl::desc("Only results whose kernel's name contains this"),
                              cl::value_desc("TEXT"), cl::sub(DbCommand), cl::cat(Category));
cl::opt<std::string> OfVariant("variant", cl::desc("Only results whose variant contains this"),
                               cl::value_desc("TEXT"), cl::sub(DbCommand), cl::cat(Category));
cl::opt<std::string> OfGpu("gpu", cl::desc("Only results of GPUs whose name contains this"),
                           cl::value_desc("TEXT"), cl::sub(DbCommand), cl::cat(Category));
cl::opt<std::string> OfStatus("status", cl::desc("Only results of this status, such as ok or wrong"),
                              cl::value_desc("STATUS"), cl::sub(DbCommand), cl::cat(Category));
cl::opt<std::string> OlderThan("older-than",
                               cl::desc("Only results older than so many days, or hours: 30d, 12h"),
                               cl::value_desc("AGE"), cl::sub(DbCommand), cl::cat(Category));
cl::opt<bool> AllResults("all", cl::desc("prune: every result"), cl::sub(DbCommand), cl::cat(Category));
cl::opt<bool> OnlyCompiled("compiled", cl::desc("prune: no results, only what was compiled"),
                           cl::sub(DbCommand), cl::cat(Category));
cl::opt<bool> DryRun("dry-run", cl::desc("prune: only say how many there are"), cl::sub(DbCommand),
                     cl::cat(Category));

cl::opt<std::string> VariantText("variant", cl::desc("The variant: [-DNAME=V ...] [block=X,Y,Z] PIPELINE"),
                                 cl::value_desc("TEXT"), cl::sub(EmitCommand), cl::sub(ExplainCommand),
                                 cl::cat(Category));
cl::opt<std::string>
    ExplainedSize("size", cl::desc("The problem to run: name=value,... (default: the first check size)"),
                  cl::value_desc("SIZE"), cl::sub(ExplainCommand), cl::cat(Category));
cl::opt<EmitKind, false, ChoiceParser<EmitKind>> EmitTo(
    "to", cl::desc("What to write"),
    cl::values(clEnumValN(EmitKind::IR, "ir", "LLVM IR after the variant's passes, before -O3"),
               clEnumValN(EmitKind::Ptx, "ptx", "PTX"), clEnumValN(EmitKind::Cubin, "cubin", "machine code"),
               clEnumValN(EmitKind::Header, "header",
                          "C++ header with the machine code and a function that launches it")),
    cl::init(EmitKind::Ptx), cl::sub(EmitCommand), cl::cat(Category));
cl::opt<std::string> MetricsPipeline("pipeline", cl::desc("Passes to run after gpu-prepare"),
                                     cl::value_desc("P"), cl::sub(MetricsCommand), cl::cat(Category));
cl::opt<std::string> Block("block", cl::desc("Threads a block, for the occupancy"), cl::value_desc("X,Y,Z"),
                           cl::sub(MetricsCommand), cl::cat(Category));

cl::opt<std::string> ResultsFile("results", cl::desc("What gpuprune-runner wrote"), cl::value_desc("FILE"),
                                 cl::Required, cl::sub(ReportCommand), cl::cat(Category));

cl::opt<Shell>
    CompletionFor("completion", cl::desc("Print a script that completes the command line in a shell"),
                  cl::value_desc("SHELL"),
                  cl::values(clEnumValN(Shell::Bash, "bash", "source <(gpuprune --completion=bash)"),
                             clEnumValN(Shell::Zsh, "zsh", "source <(gpuprune --completion=zsh)"),
                             clEnumValN(Shell::Fish, "fish", "gpuprune --completion=fish | source")),
                  cl::cat(Category));

cl::SubCommand *const Commands[] = {&TuneCommand,    &SurveyCommand, &MetricsCommand,
                                    &EmitCommand,    &ReportCommand, &ExplainCommand,
                                    &DevicesCommand, &PassesCommand, &DbCommand};

Error withOutput(function_ref<Error(raw_ostream &)> Write) { return writeOutput(Output, Write); }

Error writeReport(const TuneReport &Report) {
  if (!JsonOutput.empty())
    if (Error E = writeFile(JsonOutput, formatv("{0:2}\n", toJSON(Report)).str()))
      return E;
  return withOutput([&](raw_ostream &OS) {
    if (OutputFormat == Format::Json)
      OS << formatv("{0:2}\n", toJSON(Report));
    else
      printTable(OS, Report, {AllRows, Top ? std::optional<size_t>(Top) : std::nullopt});
    return Error::success();
  });
}

Error writeSequence(const SequenceReport &Report) {
  return withOutput([&](raw_ostream &OS) {
    if (OutputFormat == Format::Json)
      OS << formatv("{0:2}\n", toJSON(Report));
    else
      printSequence(OS, Report, {AllRows, Top ? std::optional<size_t>(Top) : std::nullopt});
    return Error::success();
  });
}

/// --db, else $GPUPRUNE_DB; a place that nobody named is used if that can be.
DatabaseOptions databaseOptions() {
  std::string Named = DatabaseFile;
  if (Named.empty())
    Named = sys::Process::GetEnv("GPUPRUNE_DB").value_or("");
  DatabaseOptions Options;
  Options.Demanded = !Named.empty();
  Options.Path = Options.Demanded ? Named : defaultDatabasePath();
  Options.Fresh = Fresh;
  if (NoDatabase || Named == "none")
    Options.Path.clear();
  return Options;
}

Error db() {
  std::string File = databaseOptions().Path;
  if (File.empty())
    return makeError(ErrorKind::Usage, "which database? --db FILE names one");
  Expected<DbAction> Action = parseDbAction(DatabaseAction);
  if (!Action)
    return Action.takeError();
  ResultSelection Selected{ResultKey, OfWorkload, OfKernel,   OfVariant,   OfGpu,
                           OfStatus,  OlderThan,  AllResults, OnlyCompiled};
  DbOptions Options{*Action, File, Selected, OutputFormat == Format::Json, DryRun};
  return withOutput([&](raw_ostream &OS) { return runDb(Options, OS); });
}

/// What says how variants are timed, checked before anything is compiled.
Error readTimingOptions(TuneOptions &Options) {
  MeasureOptions &M = Options.Measuring;
  if (Rounds != 0 && (Rounds < FewestRounds || Rounds > 1000))
    return makeError(ErrorKind::Usage,
                     formatv("--rounds {0}: expected 0, for none, or {1} to 1000: fewer cannot "
                             "tell variants apart",
                             Rounds.getValue(), FewestRounds));
  if (Error E = checkedNumber("min-sample", MinSample, 0.001, 10000))
    return E;
  if (Rotate == "auto")
    M.Rotate = 0;
  else if (StringRef(Rotate).getAsInteger(10, M.Rotate) || M.Rotate == 0 || M.Rotate > 1000)
    return makeError(ErrorKind::Usage, "--rotate " + Rotate + ": expected 1 to 1000 copies, or auto");
  double Factor = 0;
  if (Watchdog == "off")
    M.Watchdog.reset();
  else if (StringRef(Watchdog).getAsDouble(Factor) || !(Factor > 1 && Factor <= 1e6))
    return makeError(ErrorKind::Usage, "--watchdog " + Watchdog + ": expected a factor above 1, or off");
  else
    M.Watchdog = Factor;
  if (Error E = readSeconds(BudgetSeconds, Options.BudgetSeconds))
    return E;
  M.Samples = Samples;
  M.Rounds = Rounds;
  M.MinSampleMs = MinSample;
  M.FlushL2 = FlushL2;
  return Error::success();
}

/// What tune and survey have in common.
Expected<TuneOptions> tuneOptions(const char *Argv0) {
  Expected<Phase> Last = parsePhase(StopAfter);
  if (!Last)
    return Last.takeError();
  TuneOptions Options;
  if (Error E = readTimingOptions(Options))
    return std::move(E);
  Options.Device = Device;
  Options.Jobs = Jobs;
  Options.StopAfter = *Last;
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

Error tune(const char *Argv0) {
  Expected<TuneOptions> Options = tuneOptions(Argv0);
  if (!Options)
    return Options.takeError();
  Options->Workload = TunedWorkload;
  Options->Launch = LaunchNumber;
  Options->Exhaustive = Exhaustive;
  if (Sample)
    Options->Sample = {Sample, Seed};
  Options->Variants = TunedVariants;
  Options->BundleDirectory = BundleDirectory;
  if (PrintSpace)
    return withOutput(
        [&](raw_ostream &OS) { return printSpace(Options->Workload, Options->Device, LaunchNumber, OS); });
  Progress Shown(errs(), Quiet);
  Expected<size_t> Launches = launchesToTune(*Options);
  if (!Launches)
    return Launches.takeError();
  if (*Launches > 1)
    return runSequence(*Options, *Launches, Shown, JsonOutput, writeSequence);
  Expected<TuneReport> Report = Tuner(std::move(*Options), Shown).run();
  if (!Report)
    return Report.takeError();
  if (Error E = writeReport(*Report))
    return E;
  if (!Report->AuthorFailure.empty())
    return makeError(ErrorKind::Input, Report->AuthorFailure);
  return Report->RunnerFailed ? makeError(ErrorKind::Runner, Report->NotMeasured) : Error::success();
}

Error surveyKernels(const char *Argv0) {
  Expected<TuneOptions> Tuning = tuneOptions(Argv0);
  if (!Tuning)
    return Tuning.takeError();
  Tuning->EachAlone = MeasureAlone;
  SurveyOptions Options{SurveyedPlaces, std::move(*Tuning), std::nullopt};
  Options.BudgetSeconds = std::exchange(Options.Tuning.BudgetSeconds, std::nullopt);
  if (Error E = readSeconds(KernelBudget, Options.Tuning.BudgetSeconds))
    return E;
  Progress Shown(errs(), Quiet);
  return runSurvey(Options, Shown, JsonOutput, [](const Survey &Found) {
    return withOutput([&](raw_ostream &OS) {
      if (OutputFormat == Format::Json)
        OS << formatv("{0:2}\n", toJSON(Found));
      else
        printSurvey(OS, Found);
      return Error::success();
    });
  });
}

Error report() {
  Expected<TuneReport> Report = reportOfBundle(BundleToReport, ResultsFile);
  if (!Report)
    return Report.takeError();
  if (Error E = writeReport(*Report))
    return E;
  return Report->AuthorFailure.empty() ? Error::success()
                                       : makeError(ErrorKind::Input, Report->AuthorFailure);
}

Error metrics() {
  return withOutput([](raw_ostream &OS) {
    return printMetrics({MetricsFile, Device.empty() ? DefaultDevice.str() : Device, MetricsPipeline, Block,
                         OutputFormat == Format::Json},
                        OS);
  });
}

Error explainKernel() {
  Expected<ExplainReport> Report =
      explain({ExplainedWorkload, Device, VariantText, ExplainedSize, printWarnings, LaunchNumber});
  if (!Report)
    return Report.takeError();
  return withOutput([&](raw_ostream &OS) {
    if (OutputFormat == Format::Json)
      OS << formatv("{0:2}\n", json::Value(toJSON(*Report)));
    else
      printExplanation(OS, *Report, OS.has_colors());
    return Error::success();
  });
}

Error complete() {
  KnownValues Values;
  Values.OfOptions["format"] = wordsOf(OutputFormat.getParser());
  Values.OfOptions["check"] = wordsOf(Check.getParser());
  Values.OfOptions["to"] = wordsOf(EmitTo.getParser());
  Values.OfOptions["completion"] = wordsOf(CompletionFor.getParser());
  addPhasesAndDevices(Values);
  Values.OfCommands["db"] = {"list", "show", "prune", "export"};
  return withOutput([&](raw_ostream &OS) {
    printCompletion(OS, CompletionFor, Commands, Values);
    return Error::success();
  });
}

Error runCommand(const char *Argv0) {
  if (CompletionFor.getNumOccurrences())
    return complete();
  for (const std::string &File : {Output.getValue(), JsonOutput.getValue()})
    if (Error E = File.empty() ? Error::success() : checkWritable(File))
      return E;
  for (const std::string &Plugin : PassPlugins)
    if (Error E = loadPassPlugin(Plugin))
      return E;
  if (TuneCommand)
    return tune(Argv0);
  if (SurveyCommand)
    return surveyKernels(Argv0);
  if (MetricsCommand)
    return metrics();
  if (EmitCommand)
    return withOutput([](raw_ostream &OS) {
      return emitVariant({EmittedWorkload, VariantText, EmitTo, Device, LaunchNumber}, OS);
    });
  if (ReportCommand)
    return report();
  if (ExplainCommand)
    return explainKernel();
  if (DevicesCommand)
    return withOutput(
        [](raw_ostream &OS) { return printDevices({ShownDevice, OutputFormat == Format::Json}, OS); });
  if (PassesCommand)
    return withOutput([](raw_ostream &OS) { return printPasses(OutputFormat == Format::Json, OS); });
  if (DbCommand)
    return db();
  return makeError(
      ErrorKind::Usage,
      "which command? gpuprune tune|survey|metrics|emit|report|explain|devices|passes|db; --help says more");
}

} // namespace

int main(int Argc, char **Argv) {
  openStandardStreams();
  InitLLVM Init(Argc, Argv);
  arrangeHelp(Commands, Category);
  cl::SetVersionPrinter(
      [](raw_ostream &OS) { OS << "gpuprune " GPUPRUNE_VERSION ", LLVM " LLVM_VERSION_STRING "\n"; });
  if (!cl::ParseCommandLineOptions(Argc, Argv, helpOverview(Argc > 1 ? Argv[1] : ""), &errs()))
    return exitCode(ErrorKind::Usage);
  cleanUpOnInterrupt();
  initializeCodeGen();
  if (Error E = runCommand(Argv[0])) {
    TakenError Taken = takeError(std::move(E));
    errs() << "gpuprune: error: " << Taken.Text << '\n';
    return exitCode(Taken.Kind);
  }
  return 0;
}
