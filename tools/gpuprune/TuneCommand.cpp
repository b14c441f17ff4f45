//===- TuneCommand.cpp - gpuprune tune --------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TuneCommand.h"
#include "SubCommands.h"
#include "gpuprune/Driver/LaunchClasses.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Listed.h"
#include "gpuprune/Variant/RecordedLaunch.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuprune {

static cl::opt<bool> PrintSpace("print-space", cl::desc("Print the space in workload-file syntax and exit"),
                                cl::sub(TuneCommand), cl::cat(Category));
static cl::opt<std::string>
    BundleDirectory("bundle",
                    cl::desc("Write the cubins and the plan for gpuprune-runner to DIR instead of\n"
                             "measuring here; with --stop-after=frontend, write the bitcode from which\n"
                             "'gpuprune tune DIR' continues without clang++"),
                    cl::value_desc("DIR"), cl::sub(TuneCommand), cl::cat(Category));
static cl::list<std::string>
    TunedVariants("variant",
                  cl::desc("Tune this variant instead of the space, and always measure it\n"
                           "(repeatable)"),
                  cl::value_desc("TEXT"), cl::sub(TuneCommand), cl::cat(Category));
static cl::opt<unsigned> Sample("sample", cl::desc("Tune only N variants of the space, chosen at random"),
                                cl::value_desc("N"), cl::init(0), cl::sub(TuneCommand), cl::cat(Category));
static cl::opt<uint64_t> Seed("seed", cl::desc("Random seed for --sample (default: 1)"), cl::value_desc("S"),
                              cl::init(1), cl::sub(TuneCommand), cl::cat(Category));
static cl::opt<std::string>
    RecordsFolder("records",
                  cl::desc("Write the tuning record of the fastest variant that a build can deploy into\n"
                           "DIR, for -mllvm -gpuprune-records=DIR of libGpuPrune.so"),
                  cl::value_desc("DIR"), cl::sub(TuneCommand), cl::cat(Category));

bool readTuneOptions(TuneOptions &Options) {
  if (Sample)
    Options.Sample = {Sample, Seed};
  Options.Variants = TunedVariants;
  Options.BundleDirectory = BundleDirectory;
  return PrintSpace;
}

/// 0 where one launch is asked for, or there is no sequence; else as many as the workload has. Where only the
/// front end runs, \p Options asks for the last one.
static Expected<size_t> launchesToTune(TuneOptions &Options) {
  if (Options.Launch)
    return 0;
  Expected<size_t> All = launchesOfSequence(Options.Workload);
  if (!All) {
    consumeError(All.takeError()); // Said where the workload is read to be tuned.
    return 0;
  }
  if (*All > 0 && Options.StopAfter == Phase::Frontend)
    Options.Launch = *All; // The bitcode is that of all kernels of the file.
  if (*All == 0 || Options.Launch)
    return 0;
  if (!Options.BundleDirectory.empty())
    return makeError(ErrorKind::Usage,
                     "--bundle: of a sequence, the bundle of one launch can be written: --launch=N; "
                     "or with --stop-after=frontend that of all");
  return *All;
}

/// Known to the report, and worth an exit code.
static Error problemOf(const TuneReport &Report) {
  if (!Report.AuthorFailure.empty())
    return makeError(ErrorKind::Input, Report.AuthorFailure);
  return Report.RunnerFailed ? makeError(ErrorKind::Runner, Report.NotMeasured) : Error::success();
}

static Error problemOf(const SequenceReport &Report) {
  for (const TuneReport &Each : Report.Launches)
    if (Error E = problemOf(Each))
      return E;
  const WholeSequence &Whole = Report.Whole;
  if (Whole.Check == CheckOutcome::Wrong)
    return makeError(ErrorKind::Internal,
                     "the choices together compute something else than the source as written: " +
                         Whole.Problem);
  if (Whole.HasRun && !Whole.Problem.empty())
    return makeError(ErrorKind::Runner, "the whole sequence: " + Whole.Problem);
  return Error::success();
}

/// The launch that \p Options have tuned, and which says what there is to say of it.
static Expected<TunedClass> classOf(const TuneOptions &Options, const TuneReport &Report) {
  Expected<BestRecord> Best = bestRecord(Options, Report);
  if (!Best)
    return Best.takeError();
  if (!Best->Why.empty())
    errs() << formatv("gpuprune: {0}: {1}\n", Report.Kernel, Best->Why);
  if (!Best->Record)
    errs() << formatv("gpuprune: {0}: no tuning record was written\n", Report.Kernel);
  const PhysicalLaunch &Launch = Report.Stock.Launch;
  return TunedClass{Launch.Block, blocksOf(Launch.Grid), std::move(Best->Record), blocksOf(Launch.Grid),
                    std::move(Best->Otherwise)};
}

/// Writes the record of one kernel, and says so.
static Error record(std::vector<TunedClass> Classes) {
  std::vector<TuningRecord> File = variantsOf(std::move(Classes));
  if (File.empty())
    return Error::success();
  Expected<std::string> Path = writeRecord(File, RecordsFolder);
  if (!Path)
    return Path.takeError();
  std::vector<std::string> Variants;
  for (const TuningRecord &R : File)
    Variants.push_back("'" + R.name() + "'");
  errs() << formatv("gpuprune: {0}: wrote '{1}' of {2}\n", File.front().Kernel, *Path,
                    listed(Variants, "and"));
  return Error::success();
}

static Error record(const TuneOptions &Options, const TuneReport &Report) {
  Expected<TunedClass> Class = classOf(Options, Report);
  return Class ? record(std::vector{std::move(*Class)}) : Class.takeError();
}

/// Of a sequence that is best left as it is, nothing is deployed. Launches of one kernel are in one record.
static Error record(const TuneOptions &Options, const SequenceReport &Report) {
  if (Report.Whole.asWrittenIsBest() || Report.Whole.Check == CheckOutcome::Wrong) {
    errs() << "gpuprune: the sequence is fastest as it is; no tuning record was written\n";
    return Error::success();
  }
  TuneOptions Each = Options;
  MapVector<StringRef, std::vector<TunedClass>> Kernels;
  for (const auto &[Index, Launch] : enumerate(Report.Launches)) {
    Each.Launch = Index + 1;
    Expected<TunedClass> Class = classOf(Each, Launch);
    if (!Class)
      return Class.takeError();
    Kernels[Launch.Kernel].push_back(std::move(*Class));
  }
  for (auto &[Kernel, Classes] : Kernels)
    if (Error E = record(std::move(Classes)))
      return E;
  return Error::success();
}

/// Written before its problem is told; a program that is wrong is not deployed.
template <typename R>
static Error finish(const TuneOptions &Options, Expected<R> Report, function_ref<Error(const R &)> Write) {
  if (!Report)
    return Report.takeError();
  if (Error E = Write(*Report))
    return E;
  if (Error E = problemOf(*Report))
    return E;
  return RecordsFolder.empty() ? Error::success() : record(Options, *Report);
}

/// Where all kernels of a program are tuned, their records go to the folder of the recordings.
static Error tuneAll(TuneOptions Options, Progress &Shown,
                     function_ref<Error(const ProgramReport &)> WriteProgram) {
  if (!Options.BundleDirectory.empty() || Options.Launch)
    return makeError(ErrorKind::Usage,
                     "--bundle and --launch are of one kernel; name one of the folders in '" +
                         Options.Workload + "/recordings'");
  if (Options.Kind == SearchKind::Model)
    return makeError(ErrorKind::Usage, "--strategy=model is of one kernel; name one of the folders in '" +
                                           Options.Workload + "/recordings'");
  std::string Folder = Options.Workload;
  Expected<ProgramReport> Report = tuneProgram(
      std::move(Options), Folder, RecordsFolder.empty() ? Folder : RecordsFolder.getValue(), Shown);
  return Report ? WriteProgram(*Report) : Report.takeError();
}

Error runTune(TuneOptions Options, Progress &Shown, function_ref<Error(const TuneReport &)> Write,
              function_ref<Error(const SequenceReport &)> WriteSequence,
              function_ref<Error(const ProgramReport &)> WriteProgram) {
  if (isProgramFolder(Options.Workload) && !isRecording(Options.Workload))
    return tuneAll(std::move(Options), Shown, WriteProgram);
  if (sys::fs::is_directory(Options.Workload + "/code"))
    return makeError(ErrorKind::Input, "'" + Options.Workload +
                                           "' holds device code and no recordings; make them with 'gpuprune "
                                           "record --dir=" +
                                           Options.Workload + " -- PROGRAM'");
  Expected<size_t> Launches = launchesToTune(Options);
  if (!Launches)
    return Launches.takeError();
  if (*Launches > 0)
    return finish(Options, tuneSequence(Options, *Launches, Shown), WriteSequence);
  return finish(Options, Tuner(Options, Shown).run(), Write);
}

} // namespace gpuprune
