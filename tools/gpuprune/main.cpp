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
#include "EvaluateCommand.h"
#include "ExitCode.h"
#include "Help.h"
#include "Operands.h"
#include "OptionParsers.h"
#include "Output.h"
#include "PageOutput.h"
#include "RecordCommand.h"
#include "RecorderLibraries.h"
#include "SubCommands.h"
#include "SurveyCommand.h"
#include "TuneCommand.h"
#include "TuningOptions.h"
#include "gpuprune/Database/ResultDatabase.h"
#include "gpuprune/Driver/ExplainReport.h"
#include "gpuprune/Driver/Tuner.h"
#include "gpuprune/Runtime/Protocol.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Interrupt.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Support/ShellQuote.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace gpuprune;

namespace {

enum class Format { Table, Json };

/// What they are for each command, Operands.cpp says.
cl::list<std::string> Operands(cl::Positional, cl::sub(TuneCommand), cl::sub(SurveyCommand),
                               cl::sub(MetricsCommand), cl::sub(EmitCommand), cl::sub(ReportCommand),
                               cl::sub(ExplainCommand), cl::sub(DevicesCommand), cl::sub(DbCommand),
                               cl::sub(RecordCommand), cl::sub(EvaluateCommand), cl::cat(Category));

cl::opt<std::string>
    Device("device",
           cl::desc("Target device, as listed by 'gpuprune devices' (default: sm_90, or the\n"
                    "device of the bundle)"),
           cl::value_desc("sm_XX"), cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::sub(MetricsCommand),
           cl::sub(EmitCommand), cl::sub(ExplainCommand), cl::cat(Category));
cl::opt<unsigned, false, FromOneParser>
    LaunchNumber("launch", cl::desc("Only launch N of a sequence, after the launches before it as written"),
                 cl::value_desc("N"), cl::sub(TuneCommand), cl::sub(EmitCommand), cl::sub(ExplainCommand),
                 cl::cat(Category));
cl::opt<Format, false, ChoiceParser<Format>>
    OutputFormat("format", cl::desc("Format of the result"),
                 cl::values(clEnumValN(Format::Table, "table", "text to read"),
                            clEnumValN(Format::Json, "json", "the same data as JSON")),
                 cl::init(Format::Table), cl::sub(TuneCommand), cl::sub(SurveyCommand),
                 cl::sub(MetricsCommand), cl::sub(ReportCommand), cl::sub(DevicesCommand), cl::sub(DbCommand),
                 cl::sub(PassesCommand), cl::sub(ExplainCommand), cl::cat(Category));
cl::opt<std::string> Output("o", cl::desc("Write the result to this file (default: standard output)"),
                            cl::value_desc("FILE"), cl::init("-"), cl::sub(TuneCommand),
                            cl::sub(SurveyCommand), cl::sub(EmitCommand), cl::sub(MetricsCommand),
                            cl::sub(ReportCommand), cl::sub(DevicesCommand), cl::sub(DbCommand),
                            cl::sub(PassesCommand), cl::sub(ExplainCommand), cl::sub(EvaluateCommand),
                            cl::cat(Category));
cl::opt<bool> AllRows("all",
                      cl::desc("Print a row for every variant, not only for the Pareto set and for\n"
                               "measured variants"),
                      cl::sub(TuneCommand), cl::sub(ReportCommand), cl::cat(Category));

cl::opt<unsigned, false, NumberParser<1, 1000000>> Top(
    "top",
    cl::desc(
        "Print only the N best variants, by time or, if not measured, by the\nmodelled time or the metrics"),
    cl::value_desc("N"), cl::init(0), cl::sub(TuneCommand), cl::sub(ReportCommand), cl::cat(Category));

cl::opt<double> KernelBudget("kernel-budget", cl::desc("Time limit per kernel, in seconds"),
                             cl::value_desc("SECONDS"), cl::sub(SurveyCommand), cl::cat(Category));
cl::opt<unsigned> MeasureAlone("measure-alone",
                               cl::desc("Number of variants to measure for each pass alone (default: 6;\n"
                                        "0: see --strategy)"),
                               cl::value_desc("N"), cl::init(6), cl::sub(SurveyCommand), cl::cat(Category));
cl::opt<std::string> JsonOutput("json", cl::desc("Also write the result as JSON to this file"),
                                cl::value_desc("FILE"), cl::sub(TuneCommand), cl::sub(SurveyCommand),
                                cl::sub(ReportCommand), cl::cat(Category));
cl::list<std::string>
    PassPlugins("load-pass-plugin",
                cl::desc("LLVM pass plugin whose passes pipelines may use in addition to GpuPrune's"),
                cl::value_desc("FILE"), cl::sub(TuneCommand), cl::sub(SurveyCommand), cl::sub(EmitCommand),
                cl::sub(MetricsCommand), cl::cat(Category));
cl::opt<bool> Quiet("quiet", cl::desc("Do not print progress; warnings are printed"), cl::sub(TuneCommand),
                    cl::sub(SurveyCommand), cl::sub(EvaluateCommand), cl::cat(Category));

cl::opt<std::string> OfWorkload("workload", cl::desc("Only results whose workload path contains this text"),
                                cl::value_desc("TEXT"), cl::sub(DbCommand), cl::cat(Category));
cl::opt<std::string> OfKernel("kernel", cl::desc("Only results whose kernel name contains this text"),
                              cl::value_desc("TEXT"), cl::sub(DbCommand), cl::cat(Category));
cl::opt<std::string> OfVariant("variant", cl::desc("Only results whose variant contains this text"),
                               cl::value_desc("TEXT"), cl::sub(DbCommand), cl::cat(Category));
cl::opt<std::string> OfGpu("gpu", cl::desc("Only results of GPUs whose name contains this text"),
                           cl::value_desc("TEXT"), cl::sub(DbCommand), cl::cat(Category));
cl::opt<std::string> OfStatus("status", cl::desc("Only results with this status, such as ok or wrong"),
                              cl::value_desc("STATUS"), cl::sub(DbCommand), cl::cat(Category));
cl::opt<std::string>
    OlderThan("older-than", cl::desc("Only results older than a number of days or hours, such as 30d or 12h"),
              cl::value_desc("AGE"), cl::sub(DbCommand), cl::cat(Category));
cl::opt<bool> AllResults("all", cl::desc("prune: remove all results"), cl::sub(DbCommand), cl::cat(Category));
cl::opt<bool> OnlyCompiled("compiled", cl::desc("prune: remove only the compile cache"), cl::sub(DbCommand),
                           cl::cat(Category));
cl::opt<bool> DryRun("dry-run", cl::desc("prune: only print how many results would be removed"),
                     cl::sub(DbCommand), cl::cat(Category));

cl::opt<std::string> VariantText("variant", cl::desc("The variant: [-DNAME=V ...] [block=X,Y,Z] PIPELINE"),
                                 cl::value_desc("TEXT"), cl::sub(EmitCommand), cl::sub(ExplainCommand),
                                 cl::cat(Category));
cl::opt<std::string>
    ExplainedSize("size", cl::desc("Problem size to run: name=value,... (default: the first check size)"),
                  cl::value_desc("SIZE"), cl::sub(ExplainCommand), cl::cat(Category));
cl::opt<EmitKind, false, ChoiceParser<EmitKind>> EmitTo(
    "to", cl::desc("What to write"),
    cl::values(clEnumValN(EmitKind::IR, "ir", "LLVM IR after the variant's passes, before -O3"),
               clEnumValN(EmitKind::Ptx, "ptx", "PTX"), clEnumValN(EmitKind::Cubin, "cubin", "machine code"),
               clEnumValN(EmitKind::Header, "header",
                          "C++ header with the machine code and a function that launches it"),
               clEnumValN(EmitKind::Record, "record", "tuning record that libGpuPrune.so applies")),
    cl::init(EmitKind::Ptx), cl::sub(EmitCommand), cl::cat(Category));
cl::opt<std::string> MetricsPipeline("pipeline", cl::desc("Passes to run after gpu-prepare"),
                                     cl::value_desc("P"), cl::sub(MetricsCommand), cl::cat(Category));
cl::opt<std::string> Block("block", cl::desc("Threads per block, used to compute occupancy"),
                           cl::value_desc("X,Y,Z"), cl::sub(MetricsCommand), cl::cat(Category));

cl::opt<std::string> ResultsFile("results", cl::desc("Output of gpuprune-runner"), cl::value_desc("FILE"),
                                 cl::sub(ReportCommand), cl::cat(Category));

cl::opt<Shell>
    CompletionFor("completion", cl::desc("Print the completion script for a shell"), cl::value_desc("SHELL"),
                  cl::values(clEnumValN(Shell::Bash, "bash", "source <(gpuprune --completion=bash)"),
                             clEnumValN(Shell::Zsh, "zsh", "source <(gpuprune --completion=zsh)"),
                             clEnumValN(Shell::Fish, "fish", "gpuprune --completion=fish | source")),
                  cl::cat(Category));

cl::SubCommand *const Commands[] = {&TuneCommand,   &SurveyCommand,  &MetricsCommand, &EmitCommand,
                                    &ReportCommand, &ExplainCommand, &DevicesCommand, &PassesCommand,
                                    &DbCommand,     &RecordCommand,  &EvaluateCommand};

Error withOutput(function_ref<Error(raw_ostream &)> Write) { return writeOutput(Output, Write); }

/// As --json and --format ask for it; \p Print writes it for a person.
template <typename R> Error writeResult(const R &Found, function_ref<void(raw_ostream &)> Print) {
  if (!JsonOutput.empty())
    if (Error E = writeFile(JsonOutput, formatv("{0:2}\n", json::Value(toJSON(Found))).str()))
      return E;
  return withOutput([&](raw_ostream &OS) {
    if (OutputFormat == Format::Json)
      OS << formatv("{0:2}\n", json::Value(toJSON(Found)));
    else
      Print(OS);
    return Error::success();
  });
}

TableOptions tableOptions() {
  return {AllRows, Top ? std::optional<size_t>(Top) : std::nullopt, findPlugin()};
}

/// The page, too, where --report asks for it.
template <typename R> Error writeWithPage(const R &Found, function_ref<void(raw_ostream &)> Print) {
  if (Error E = writePage(Found))
    return E;
  return writeResult(Found, Print);
}

Error writeReport(const TuneReport &Report) {
  return writeWithPage(Report, [&](raw_ostream &OS) { printTable(OS, Report, tableOptions()); });
}

Error db() {
  std::string File = databaseOptions().Path;
  if (File.empty())
    return makeError(ErrorKind::Usage, "which database? --db FILE names one");
  Expected<DbAction> Action = parseDbAction(Operands.front());
  if (!Action)
    return Action.takeError();
  std::string Key = Operands.size() > 1 ? Operands[1] : "";
  ResultSelection Selected{Key,      OfWorkload, OfKernel,   OfVariant,   OfGpu,
                           OfStatus, OlderThan,  AllResults, OnlyCompiled};
  DbOptions Options{*Action, File, Selected, OutputFormat == Format::Json, DryRun};
  return withOutput([&](raw_ostream &OS) { return runDb(Options, OS); });
}

Error tune(const char *Argv0) {
  Expected<TuneOptions> Options = tuningOptions(Argv0, Device);
  if (!Options)
    return Options.takeError();
  Options->Workload = Operands.front();
  Options->Launch = LaunchNumber;
  if (readTuneOptions(*Options))
    return withOutput(
        [&](raw_ostream &OS) { return printSpace(Options->Workload, Options->Device, LaunchNumber, OS); });
  sayHowToGoOn(Options->Database.Path);
  Progress Shown(errs(), Quiet);
  return runTune(
      std::move(*Options), Shown, writeReport,
      [](const SequenceReport &Found) {
        return writeWithPage(Found, [&](raw_ostream &OS) { printSequence(OS, Found, tableOptions()); });
      },
      [](const ProgramReport &Found) {
        return writeWithPage(Found, [&](raw_ostream &OS) { printProgram(OS, Found); });
      });
}

Error surveyKernels(const char *Argv0) {
  Expected<TuneOptions> Tuning = tuningOptions(Argv0, Device);
  if (!Tuning)
    return Tuning.takeError();
  Tuning->EachAlone = MeasureAlone;
  SurveyOptions Options{Operands, std::move(*Tuning), std::nullopt, !pageFile().empty()};
  Options.BudgetSeconds = std::exchange(Options.Tuning.BudgetSeconds, std::nullopt);
  if (Error E = readSeconds(KernelBudget, Options.Tuning.BudgetSeconds))
    return E;
  sayHowToGoOn(Options.Tuning.Database.Path);
  Progress Shown(errs(), Quiet);
  return runSurvey(Options, Shown, [](const Survey &Found) {
    return writeWithPage(Found, [&](raw_ostream &OS) { printSurvey(OS, Found); });
  });
}

Error report() {
  if (ResultsFile.empty())
    return missing("report", "--results=FILE, the output of gpuprune-runner");
  Expected<TuneReport> Report = reportOfBundle(Operands.front(), ResultsFile);
  if (!Report)
    return Report.takeError();
  if (Error E = writeReport(*Report))
    return E;
  return Report->AuthorFailure.empty() ? Error::success()
                                       : makeError(ErrorKind::Input, Report->AuthorFailure);
}

Error metrics() {
  return withOutput([](raw_ostream &OS) {
    return printMetrics({Operands.front(), Device.empty() ? DefaultDevice.str() : Device, MetricsPipeline,
                         Block, OutputFormat == Format::Json},
                        OS);
  });
}

Error explainKernel() {
  Expected<ExplainReport> Report =
      explain({Operands.front(), Device, VariantText, ExplainedSize, printWarnings, LaunchNumber});
  if (!Report)
    return Report.takeError();
  return writeResult(*Report, [&](raw_ostream &OS) { printExplanation(OS, *Report, OS.has_colors()); });
}

Error complete() {
  KnownValues Values;
  Values.OfOptions["format"] = wordsOf(OutputFormat.getParser());
  Values.OfOptions["check"] = checkModes();
  Values.OfOptions["to"] = wordsOf(EmitTo.getParser());
  Values.OfOptions["keep"] = keepRules();
  Values.OfOptions["completion"] = wordsOf(CompletionFor.getParser());
  addPhasesAndOperands(Values);
  return withOutput([&](raw_ostream &OS) {
    printCompletion(OS, CompletionFor, Commands, Values);
    return Error::success();
  });
}

Error runCommand(const char *Argv0) {
  if (CompletionFor.getNumOccurrences())
    return complete();
  if (std::string Folder = sys::Process::GetEnv("GPUPRUNE_DIR").value_or("");
      TuneCommand && Operands.empty() && !Folder.empty())
    Operands.push_back(Folder); // That of the program, as the plugin and the recorder have it.
  for (cl::SubCommand *Command : Commands)
    if (Error E = *Command ? checkOperands(Command->getName(), Operands) : Error::success())
      return E;
  for (const std::string &File : {Output.getValue(), JsonOutput.getValue(), pageFile()})
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
      return emitVariant({Operands.front(), VariantText, EmitTo, Device, LaunchNumber, Output}, OS);
    });
  if (ReportCommand)
    return report();
  if (ExplainCommand)
    return explainKernel();
  if (DevicesCommand)
    return withOutput([](raw_ostream &OS) {
      return printDevices({Operands.empty() ? "" : Operands.front(), OutputFormat == Format::Json}, OS);
    });
  if (PassesCommand)
    return withOutput([](raw_ostream &OS) { return printPasses(OutputFormat == Format::Json, OS); });
  if (EvaluateCommand)
    return withOutput([&](raw_ostream &OS) {
      Progress Shown(errs(), Quiet);
      return runEvaluate(Operands.front(), [&] { return tuningOptions(Argv0, ""); }, Shown, OS);
    });
  if (DbCommand)
    return db();
  return makeError(
      ErrorKind::Usage,
      "which command? gpuprune "
      "tune|survey|metrics|emit|report|explain|devices|passes|db|record|evaluate; --help says more");
}

/// The exit code is that of the program that is recorded.
Expected<int> record(ArrayRef<char *> Arguments) {
  if (Error E = checkOperands(RecordCommand.getName(), Operands))
    return std::move(E);
  return runRecord(Arguments, Operands);
}

int fail(Error E) {
  TakenError Taken = takeError(std::move(E));
  errs() << "gpuprune: error: " << Taken.Text << '\n';
  return exitCode(Taken.Kind);
}

} // namespace

int main(int Argc, char **Argv) {
  openStandardStreams();
  InitLLVM Init(Argc, Argv);
  arrangeHelp(Commands, Category);
  cl::SetVersionPrinter(
      [](raw_ostream &OS) { OS << "gpuprune " GPUPRUNE_VERSION ", LLVM " LLVM_VERSION_STRING "\n"; });
  if (Error E = checkCommand(Argc > 1 ? Argv[1] : "", Commands))
    return fail(std::move(E));
  Operands.setDescription(operandsOf(Argc > 1 ? Argv[1] : ""));
  if (!cl::ParseCommandLineOptions(Argc, Argv, helpOverview(Argc > 1 ? Argv[1] : ""), &errs()))
    return exitCode(ErrorKind::Usage);
  if (RecordCommand) {
    Expected<int> Code = record(ArrayRef(Argv, Argc + 1)); // The null at the end, too.
    return Code ? *Code : fail(Code.takeError());
  }
  cleanUpOnInterrupt();
  initializeCodeGen();
  if (Error E = runCommand(Argv[0]))
    return fail(std::move(E));
  return 0;
}
