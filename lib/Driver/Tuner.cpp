//===- Tuner.cpp - A tuning run, phase by phase -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/Tuner.h"
#include "BundleFolder.h"
#include "LaunchCheck.h"
#include "ResultJoin.h"
#include "gpuprune/CodeGen/ProgramIdentity.h"
#include "gpuprune/Runtime/Bundle.h"
#include "gpuprune/Search/Space.h"
#include "gpuprune/Support/Counted.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/ShellQuote.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuprune {

Error Tuner::setUp() {
  Expected<TuningTarget> Loaded = loadTarget(Options.Workload, Options.Device, Options.Launch);
  if (!Loaded)
    return Loaded.takeError();
  Target = std::move(*Loaded);
  if (std::string Warning = Target.Frontend ? sourceWarning(*Target.Frontend) : ""; !Warning.empty())
    Shown.say(Warning);
  if (Error E = prepareBundle())
    return E;
  if (Options.StopAfter >= Phase::Measure && Options.BundleDirectory.empty())
    if (Error E = Stored.openDemanded())
      return E;
  Expected<TemporaryDirectory> Home = TemporaryDirectory::create();
  if (!Home)
    return Home.takeError();
  CubinHome.emplace(std::move(*Home));
  Builder = std::make_unique<VariantBuilder>(Target);
  Builder->keepFinalBitcode(checksOnCpu());
  Builder->limitCode(!Target.W.Space && Options.Variants.empty()); // What somebody asks for is made.
  openKeptBuilds();
  return describeRun();
}

void Tuner::openKeptBuilds() {
  const DatabaseOptions &Asked = Options.Database;
  std::string Folder = compileCachePath(Asked.Path), Identity = programIdentity();
  if (Folder.empty() || !Asked.CompileCacheBytes || Identity.empty() || Target.WorkloadText.empty())
    return;
  Kept = std::make_unique<KeptBuilds>(std::move(Folder), *Asked.CompileCacheBytes, Asked.Fresh,
                                      std::move(Identity));
  Builder->keepIn(Kept.get());
}

/// What has come from earlier runs by now, and what went wrong.
void Tuner::noteKept() {
  if (!Kept)
    return;
  std::vector<std::string> Before = std::move(Report.Compiling.Notes);
  Report.Compiling = Kept->use();
  for (const std::string &Note : Report.Compiling.Notes)
    if (!is_contained(Before, Note))
      Shown.say("gpuprune: warning: " + Note);
}

/// Makes the bundle's folder. An old bundle goes, whole.
Error Tuner::prepareBundle() {
  const std::string &Folder = Options.BundleDirectory;
  if (Folder.empty())
    return Error::success();
  std::error_code EC = sys::fs::create_directories(Folder);
  if (!EC && !sys::fs::is_directory(Folder))
    EC = std::make_error_code(std::errc::not_a_directory);
  if (!EC)
    EC = sys::fs::access(Folder, sys::fs::AccessMode::Write);
  if (EC)
    return makeError(ErrorKind::Io, formatv("cannot write a bundle to '{0}': {1}", Folder, EC.message()));
  if (writesFrontendBundle() && Target.Frontend)
    return makeError(ErrorKind::Usage,
                     formatv("'{0}' is a front-end bundle already; without --stop-after=frontend "
                             "the run goes on from it",
                             Options.Workload));
  if (!writesFrontendBundle() && isFrontendBundle(Folder))
    return makeError(ErrorKind::Usage,
                     formatv("--bundle={0}: the folder holds a front-end bundle; name another", Folder));
  if (Error E = checkNoWorkloadIn(Folder, Target.W))
    return E;
  return clearBundleFolder(Folder);
}

bool Tuner::writesFrontendBundle() const {
  return Options.StopAfter == Phase::Frontend && !Options.BundleDirectory.empty();
}

Error Tuner::writeFrontend() {
  const Workload &W = Target.W;
  Expected<std::string> Hash = hashOfFile(W.Source);
  if (!Hash)
    return Hash.takeError();
  Expected<std::string> Clang = clangVersion(Target.Tools);
  if (!Clang)
    return Clang.takeError();
  Report.NotMeasured =
      "go on, with or without clang++, with: gpuprune tune " + shellQuoted(Options.BundleDirectory);
  return writeFrontendBundle(Options.BundleDirectory,
                             {"", W.Path, W.Source, std::move(*Hash), W.Flags, Target.Flags,
                              Target.Device->Arch, std::move(*Clang), Builder->frontends(), W.Files});
}

Error Tuner::describeRun() {
  const Workload &W = Target.W;
  Report.Workload = W.Path;
  Report.Source = W.Source;
  Report.Flags = Target.Flags;
  Report.Kernel = W.tuned().Kernel;
  Report.Device = Target.Device->Arch;
  Report.Exhaustive = Options.Exhaustive;
  Report.AuthorDefines = authorDefines(Target.W);
  Report.Size = sizeName(W, W.TuneSize);
  Expected<ResolvedProblem> Problem = resolve(W, W.TuneSize);
  if (!Problem)
    return Problem.takeError();
  if (W.Work && Problem->WorkAmount) {
    Report.Work = double(*Problem->WorkAmount);
    Report.WorkUnit = W.Work->Unit;
  }
  return Error::success();
}

/// What the workload writes down, else what the kernel itself suggests.
Expected<Space> Tuner::makeSpace() {
  Expected<VariantKernel> Kernel = Builder->inspect();
  if (!Kernel)
    return Kernel.takeError();
  showWarnings();
  for (const KernelLoop &L : Kernel->Loops)
    Report.Loops.push_back({L.Number, L.Depth, L.Line, L.TripCount, L.Source});
  return spaceFor(Target.W, *Kernel);
}

Error Tuner::enumerate() {
  Shown.begin(phaseName(Phase::Prepare), 1);
  Expected<Space> Searched = makeSpace();
  if (!Searched)
    return Searched.takeError();
  Shown.step();
  if (Options.StopAfter < Phase::Enumerate && !writesFrontendBundle())
    return Error::success();
  Expected<EnumeratedVariants> All =
      enumerateVariants(Target.W, *Searched, enumerating(), authorDefines(Target.W));
  if (!All)
    return All.takeError();
  Report.SampledOf = All->SampledOf;
  Report.Combinations = All->Combinations;
  Report.Removed = std::move(All->Removed);
  for (Variant &V : All->Variants) {
    // A launch that cannot be resolved is the failure of the variant's compile.
    if (Expected<ResolvedProblem> Problem = Builder->tuneProblem(V))
      nameBlock(V.Pipeline, Problem->tuned().Block);
    else
      consumeError(Problem.takeError());
    BuiltVariant &Built = Variants.emplace_back(std::move(V));
    Built.Index = Variants.size() - 1;
  }
  addReferences();
  for (const BuiltVariant &Choice : drop_begin(References))
    if (!Choice.Stock)
      append_range(Report.SkippedSizes, skippedSizes(Target.W, Choice.parts().Defines));
  Error Failed = Builder->runFrontends(Variants, Options.Jobs);
  if (!Failed)
    Failed = Builder->runFrontends(References, Options.Jobs);
  showWarnings();
  return Failed || !Earlier ? std::move(Failed) : checkSequence();
}

/// Of a sequence all launches are built with the author's defines, and hand over buffers alone.
Error Tuner::checkSequence() const {
  for (const BuiltVariant &V : Variants)
    if (!V.parts().Defines.empty() && Builder->definesText(V.parts()) != Builder->definesText(Variant()))
      return makeError(ErrorKind::Input,
                       formatv("'{0}': the launches of a sequence are built with the author's defines, {1}",
                               V.Row.text(), Builder->definesText(Variant())));
  auto Author = Builder->frontends().find(Builder->definesText(Variant()));
  return Earlier->checkVariables(Target.W.tuned().Kernel, Author->second.Description.Variables);
}

/// Those of clang++ that were not shown yet.
void Tuner::showWarnings() {
  for (const std::string &Warning : Builder->takeWarnings())
    Shown.say(Warning);
}

/// The stock kernel and the author's prepared kernel; for each other choice of defines the prepared
/// kernel, and the stock kernel where there is nothing else to compare that with.
void Tuner::addReferences() {
  References.emplace_back(Variant(), /*Stock=*/true);
  References.emplace_back(Variant());
  StringMap<char> Seen;
  Seen.try_emplace(Builder->definesText(Variant()));
  for (const BuiltVariant &V : Variants)
    if (Seen.try_emplace(Builder->definesText(V.parts())).second) {
      Variant Prepared;
      Prepared.Defines = V.parts().Defines;
      if (!Builder->choiceOf(Prepared).OwnResult.empty())
        References.emplace_back(Prepared, /*Stock=*/true);
      References.emplace_back(std::move(Prepared));
    }
  if (Options.StopAfter >= Phase::Check)
    Oracle = std::make_unique<CpuCheck>(Target.W, *Builder,
                                        CheckStandards{[this] { return &author(); },
                                                       [this](const BuiltVariant &P) { return stockOf(P); },
                                                       Earlier.get()});
}

void Tuner::copyRows() {
  Report.Variants.clear();
  for (const BuiltVariant &V : Variants)
    Report.Variants.push_back(V.Row);
  Report.PassKernel = Builder->passKernel();
  Report.Features = Builder->features();
  if (!References.empty())
    Report.Stock = References.front().Row;
}

BatchOptions Tuner::choosing() const {
  BatchOptions Wanted;
  Wanted.Strategy = {pruning().Pareto, Options.MeasureOfCluster ? Options.MeasureOfCluster : SIZE_MAX};
  Wanted.All = Options.Exhaustive || !Options.Variants.empty();
  Wanted.AtLeast = Options.MeasureAtLeast;
  Wanted.EachAlone = Options.EachAlone;
  return Wanted;
}

/// Says what the budget left out.
void Tuner::noteBudget() {
  size_t Skipped =
      count_if(Variants, [](const BuiltVariant &V) { return V.Row.Status == VariantStatus::Skipped; });
  std::vector<std::string> Parts;
  if (Skipped)
    Parts.push_back(formatv("{0} of {1} not compiled", Skipped,
                            counted(Variants.size(), "variant was", "variants were")));
  if (NotRun)
    Parts.push_back(counted(NotRun, "job was", "jobs were") + " not measured");
  if (!Parts.empty())
    Report.BudgetNote = formatv("the budget of {0} s was used up: {1}", Limit->seconds(), join(Parts, ", "));
}

/// Where all variants of a space fail, so does the space. What the machine could not do for some of them,
/// such as write to a full disk, is no word on them: what is left is another space.
Error Tuner::checkSomethingIsLeft() const {
  auto FailedByMachine = [](const BuiltVariant &V) { return V.FailedAs == ErrorKind::Io; };
  if (auto First = find_if(Variants, FailedByMachine); First != Variants.end())
    return makeError(ErrorKind::Io,
                     formatv("{0} of {1} variants could not be built: {2}",
                             count_if(Variants, FailedByMachine), Variants.size(), First->Row.Message));
  if (any_of(Variants, [](const BuiltVariant &V) { return !V.FailedAs; }))
    return Error::success();
  const BuiltVariant &First = Variants.front();
  return errorInSpace(
      Target.W, enumerating(),
      {*First.FailedAs,
       formatv("{0} be made; of '{1}': {2}",
               Variants.size() == 1 ? "the only variant cannot"
                                    : formatv("none of the {0} variants can", Variants.size()).str(),
               First.Row.text(), First.Row.Message)});
}

/// \p MeasureAtOnce: finish() follows immediately.
Error Tuner::prepareTo(bool MeasureAtOnce) {
  Measures = Options.BundleDirectory.empty() && Options.StopAfter >= Phase::Measure;
  MeasuresBeside = MeasureAtOnce && Measures;
  Limit.emplace(Options.BudgetSeconds, MeasuresBeside ? Budget::Then::MeasuringBeside
                                       : Measures     ? Budget::Then::Measuring
                                                      : Budget::Then::Nothing);
  Report.StoppedAfter = phaseName(Options.StopAfter);
  if (Options.StopAfter < Phase::Measure)
    Report.NotMeasured = "stopped after phase " + Report.StoppedAfter;
  if (Error E = setUp())
    return E;
  if (MeasuresBeside)
    beginRunner(); // A CUDA context takes some hundred milliseconds to create.
  if (Error E = buildEarlier())
    return E;
  if (Error E = enumerate())
    return E;
  if (writesFrontendBundle())
    return writeFrontend();
  copyRows();
  noteKept();
  if (Options.StopAfter <= Phase::Enumerate)
    return Error::success();
  if (Error E = buildReferences())
    return E;
  if (Error E = checkAuthor())
    return E;
  openChecks();
  Chooser.emplace(choosing(), partsOf(Variants), authorDefines(Target.W));
  if (MeasuresBeside)
    beginBuilding();
  else if (Error E = build())
    return E;
  if (Options.StopAfter < Phase::Check)
    return Error::success();
  if (Options.StopAfter >= Phase::Measure)
    runReferencesOnCpu(); // First, since every other check waits for them.
  std::vector<size_t> FirstBatch = MeasuresBeside ? std::vector<size_t>() : checkPhase();
  if (Options.StopAfter < Phase::Measure)
    return Error::success();
  Expected<std::vector<PlannedJob>> Jobs = plan(FirstBatch);
  if (!Jobs)
    return Jobs.takeError();
  FirstJobs = std::move(*Jobs);
  return Error::success();
}

Expected<TuneReport> Tuner::finish(std::optional<double> Seconds) {
  if (!FirstJobs) {
    noteKept();
    return std::move(Report);
  }
  if (Seconds)
    Limit->endIn(*Seconds);
  if (Options.BundleDirectory.empty()) {
    measure(std::move(*FirstJobs));
    if (Error E = checkSomethingIsLeft())
      return std::move(E);
  } else if (Error E = writeBundleOf(std::move(*FirstJobs)))
    return std::move(E);
  noteBudget();
  noteKept();
  return std::move(Report);
}

Error Tuner::prepare() { return prepareTo(/*MeasureAtOnce=*/false); }

Expected<TuneReport> Tuner::run() {
  if (Error E = prepareTo(/*MeasureAtOnce=*/true))
    return std::move(E);
  return finish();
}

} // namespace gpuprune
