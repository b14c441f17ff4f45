//===- Tuner.cpp - A tuning run, phase by phase -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/Tuner.h"
#include "ResultJoin.h"
#include "gpuprune/CodeGen/ProgramIdentity.h"
#include "gpuprune/Driver/WinnerHeader.h"
#include "gpuprune/Search/Space.h"
#include "gpuprune/Support/Counted.h"
#include "gpuprune/Support/CpuTime.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/ShellQuote.h"
#include "gpuprune/Variant/LaunchCheck.h"
#include "gpuprune/Variant/ProtocolBuffers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>

using namespace llvm;

namespace gpuprune {

Error Tuner::setUp() {
  Expected<TuningTarget> Loaded = loadTarget(Options.Workload, Options.Device, Options.Launch, Options.Part);
  if (!Loaded)
    return Loaded.takeError();
  Target = std::move(*Loaded);
  settleStrategy();
  if (Error E = checkStrategy(Options))
    return E;
  if (Error E = checkRates())
    return E;
  if (std::string Warning = Target.Frontend ? sourceWarning(*Target.Frontend) : ""; !Warning.empty())
    Shown.warn(Warning);
  if (Error E = prepareBundle())
    return E;
  if (Measures)
    if (Error E = Stored.openDemanded())
      return E;
  Expected<TemporaryDirectory> Home = TemporaryDirectory::create();
  if (!Home)
    return Home.takeError();
  CubinHome.emplace(std::move(*Home));
  Builder = std::make_unique<VariantBuilder>(Target);
  Builder->keepFinalBitcode(checksOnCpu() || asksModel());
  Builder->limitCode(!Target.W.Space && Options.Variants.empty()); // What somebody asks for is made.
  Kept = openKeptBuilds(Options.Database, Target);
  Builder->keepIn(Kept.get());
  return describeRun();
}

std::unique_ptr<KeptBuilds> openKeptBuilds(const DatabaseOptions &Asked, const TuningTarget &Target) {
  std::string Folder = compileCachePath(Asked.Path), Identity = programIdentity();
  if (Folder.empty() || !Asked.CompileCacheBytes || Identity.empty() || Target.WorkloadText.empty())
    return nullptr;
  return std::make_unique<KeptBuilds>(std::move(Folder), *Asked.CompileCacheBytes, Asked.Fresh,
                                      std::move(Identity));
}

/// What has come from earlier runs by now, and what went wrong.
void Tuner::noteKept() {
  if (!Kept)
    return;
  std::vector<std::string> Before = std::move(Report.Compiling.Notes);
  Report.Compiling = Kept->use();
  for (const std::string &Note : Report.Compiling.Notes)
    if (!is_contained(Before, Note))
      Shown.warn("gpuprune: warning: " + Note);
}

Error Tuner::describeRun() {
  const Workload &W = Target.W;
  Report.Workload = W.Path;
  Report.EmitArguments = shellQuoted(Options.Workload) + " --device=" + Target.Device->Arch;
  if (Options.Launch)
    Report.EmitArguments += formatv(" --launch={0}", Options.Launch);
  Report.Source = W.Source;
  Report.Bitcode = Target.CodePath;
  Report.Flags = Target.Flags;
  Report.Kernel = W.tuned().Kernel;
  Report.Device = Target.Device->Arch;
  Report.Exhaustive = Options.Exhaustive;
  Report.Strategy = Kind;
  Report.AuthorDefines = authorDefines(Target.W);
  Report.Size = sizeName(W, W.TuneSize);
  Report.Samples = W.Samples;
  for (const RecordedContents &R : Target.Recorded) {
    auto IsSame = [&](const BufferSpec &B) { return B.Name == R.Buffer; };
    bool IsOnlyRead = find_if(W.Buffers, IsSame)->Role == BufferRole::In;
    Report.Reproduced.push_back({R.Buffer, R.After, IsOnlyRead ? R.Before : ""});
  }
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
  addVariants(std::move(All->Variants));
  Compared = References(*Builder, Variants);
  for (const BuiltVariant &Choice : drop_begin(Compared.all()))
    if (!Choice.Stock)
      append_range(Report.SkippedSizes, skippedSizes(Target.W, Choice.parts().Defines));
  Error Failed = Builder->runFrontends(Variants, Options.Jobs);
  if (!Failed)
    Failed = Builder->runFrontends(Compared.all(), Options.Jobs);
  showWarnings();
  return Failed || !Earlier ? std::move(Failed) : checkSequence();
}

void Tuner::addVariants(std::vector<Variant> All) {
  for (Variant &V : All) {
    // A launch that cannot be resolved is the failure of the variant's compile.
    if (Expected<ResolvedProblem> Problem = Builder->tuneProblem(V))
      nameBlock(V.Pipeline, Problem->tuned().Block);
    else
      consumeError(Problem.takeError());
    BuiltVariant &Built = Variants.emplace_back(std::move(V));
    Built.Index = Variants.size() - 1;
  }
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
    Shown.warn(Warning);
}

void Tuner::copyRows() {
  Report.Variants.clear();
  for (const BuiltVariant &V : Variants)
    Report.Variants.push_back(V.Row);
  Report.PassKernel = Builder->passKernel();
  Report.Features = Builder->features();
  if (!Compared.empty())
    Report.Stock = Compared.stock().Row;
}

BatchOptions Tuner::choosing() const {
  BatchOptions Wanted;
  Wanted.Strategy = {pruning().Pareto, Options.MeasureOfCluster ? Options.MeasureOfCluster : SIZE_MAX};
  Wanted.Kind = Kind;
  Wanted.All = Options.Exhaustive || !Options.Variants.empty();
  Wanted.AtLeast = Options.MeasureAtLeast;
  Wanted.EachAlone = Options.EachAlone;
  return Wanted;
}

/// Says what the budget left out.
void Tuner::noteBudget() {
  size_t Skipped =
      count_if(Variants, [](const BuiltVariant &V) { return V.Row.Status == VariantStatus::Skipped; }) -
      NotWanted;
  std::vector<std::string> Parts;
  if (Skipped)
    Parts.push_back(formatv("{0} of {1} not compiled", Skipped,
                            counted(Variants.size(), "variant was", "variants were")));
  if (NotModelled)
    Parts.push_back(counted(NotModelled, "variant was", "variants were") + " not modelled");
  if (NotRun)
    Parts.push_back(counted(NotRun, "job was", "jobs were") + " not measured");
  if (!Parts.empty())
    Report.BudgetNote = formatv("the budget of {0} s is too small: {1}", Limit->seconds(), join(Parts, ", "));
}

/// Where all variants of a space fail, so does the space. What the machine could not do for some of them,
/// such as write to a full disk, is no word on them: what is left is another space.
Error Tuner::checkSomethingIsLeft() const {
  auto FailedByMachine = [](const BuiltVariant &V) { return V.FailedAs == ErrorKind::Io; };
  if (auto First = find_if(Variants, FailedByMachine); First != Variants.end())
    return makeError(ErrorKind::Io,
                     formatv("{0} of {1} variants could not be built: {2}",
                             count_if(Variants, FailedByMachine), Variants.size(), First->Row.Message));
  // What was not even tried promises nothing.
  auto IsTried = [&](const BuiltVariant &V) { return !NotWanted || V.Row.Status != VariantStatus::Skipped; };
  auto Tried = find_if(Variants, IsTried); // None where the budget was used up before.
  if (Tried == Variants.end() ||
      any_of(Variants, [&](const BuiltVariant &V) { return IsTried(V) && !V.FailedAs; }))
    return Error::success();
  const BuiltVariant &First = *Tried;
  return errorInSpace(
      Target.W, enumerating(),
      {*First.FailedAs,
       formatv("{0} be made; of '{1}': {2}",
               Variants.size() == 1
                   ? "the only variant cannot"
                   : formatv("none of the {0} variants can", count_if(Variants, IsTried)).str(),
               First.Row.text(), First.Row.Message)});
}

/// Where cubins, and what belongs to them, are written.
StringRef Tuner::cubinFolder() const {
  return Options.BundleDirectory.empty() ? CubinHome->path() : StringRef(Options.BundleDirectory);
}

/// What all others are compared with, before them.
Error Tuner::buildReferences() {
  Error Failed =
      Compared.build(Options.Jobs, Options.StopAfter >= Phase::Assemble ? cubinFolder() : StringRef());
  Report.Stock = Compared.stock().Row;
  return Failed;
}

/// Before anything is compiled in vain: where the author's own launch is wrong, nothing can be right. What a
/// program did on a GPU is no mistake in a workload file, and takes the CPU minutes.
Error Tuner::checkAuthor() {
  if (Options.StopAfter < Phase::Check || (Target.IsRecorded && Options.Check == CheckMode::Off))
    return Error::success();
  Oracle = std::make_unique<CpuCheck>(
      Target.W, *Builder,
      CheckStandards{[this] { return &Compared.author(); },
                     [this](const BuiltVariant &Prepared) { return Compared.stockFor(Prepared); },
                     Earlier.get()});
  if (auto AuthorEnd = Limit->authorEnd()) // What is measured later has time of its own then.
    Oracle->bound(*AuthorEnd, Measures && !MeasuresBeside ? std::nullopt : Limit->end());
  Shown.begin(phaseName(Phase::Check), 1);
  Expected<std::vector<std::string>> Doubts = Oracle->checkAuthor(checkDepth(Options.Check));
  Shown.step();
  Shown.end();
  if (!Doubts)
    return Doubts.takeError();
  for (const std::string &Doubt : *Doubts)
    Shown.warn("warning: " + Doubt);
  return Error::success();
}

void Tuner::openChecks() {
  CheckQueue::StepFunction OnStep;
  if (MeasuresBeside)
    OnStep = [this](size_t Done, size_t Added) {
      Shown.beside(phaseName(Phase::Measure), formatv("checked {0}/{1}", Done, Added).str());
    };
  Checks.emplace(
      Report, Variants,
      [this](const BuiltVariant &V, const BuiltVariant &Reference, CheckDepth Depth, VariantResult &Row) {
        Oracle->check(V, Reference, Depth, Row);
      },
      [this](const BuiltVariant &V) { return Compared.preparedFor(V); },
      RowChecks::Settings{checkDepth(Options.Check), Options.Jobs, MeasuresBeside, pruning().Pareto},
      std::move(OnStep));
}

BuildPhase::Settings Tuner::building(double ReferencesCpuMs) {
  bool Alone = Options.EachAlone && Limit->isBounded();
  BuildPhase::Settings Asked{Options.Jobs,
                             cubinFolder().str(),
                             Compared.all().size(),
                             ReferencesCpuMs,
                             Options.MeasureTwins,
                             /*Assembles=*/Options.StopAfter >= Phase::Assemble,
                             MeasuresBeside,
                             {/*Spread=*/Limit->isBounded() || MeasuresBeside, /*SoleChoicesFirst=*/Alone},
                             pruning()};
  if (MeasuresBeside && asksModel())
    Asked.OnTaken = [this](ArrayRef<size_t> Rows) { NotModelled += Modelling->run(Rows); };
  if (buildsByModel()) {
    Asked.AtMost = buildAtMost();
    Asked.NextPortion = [this] { return nextPortion(); };
  }
  return Asked;
}

void Tuner::openPhases(double ReferencesCpuMs) {
  if (checksOnCpu())
    openChecks();
  Chooser.emplace(choosing(), partsOf(Variants), Report.AuthorDefines);
  Building =
      std::make_unique<BuildPhase>(Report, Variants, *Builder, *Limit, Shown, building(ReferencesCpuMs));
  if (asksModel() && Options.StopAfter >= Phase::Prune)
    Modelling.emplace(modelling());
  Checking.emplace(Report, Checks ? &*Checks : nullptr, *Chooser, *Limit, Shown,
                   CheckPhase::Settings{Options.Check, MeasuresBeside});
  Jobs.emplace(Report, Variants,
               JobPlanner::Context{Target.W, *Builder, Compared, Options.Measuring, OnCpu, Earlier.get(),
                                   cubinFolder().str(), MeasuresBeside});
}

/// All of them, one phase after the other.
Error Tuner::buildAll() {
  Building->compile();
  if (Error E = checkSomethingIsLeft())
    return E;
  Building->assemble();
  noteBudget();
  noteKept();
  return Error::success();
}

/// \p MeasureAtOnce: finish() follows immediately.
Error Tuner::prepareTo(bool MeasureAtOnce) {
  Measures = Options.BundleDirectory.empty() && Options.StopAfter >= Phase::Measure && !modelChooses();
  MeasuresBeside = MeasureAtOnce && Measures && !choosesOfAll();
  Limit.emplace(Options.BudgetSeconds, afterCompiling(MeasureAtOnce));
  Report.StoppedAfter = phaseName(Options.StopAfter);
  if (Options.StopAfter < Phase::Measure)
    Report.NotMeasured = "stopped after phase " + Report.StoppedAfter;
  else if (modelChooses())
    Report.NotMeasured = "--strategy=model times nothing";
  if (Error E = setUp())
    return E;
  if (MeasuresBeside)
    beginRunner();
  if (Target.W.isSequence() && Options.StopAfter > Phase::Enumerate)
    if (Error E = EarlierLaunches::build(Target, Kept.get(),
                                         Options.StopAfter >= Phase::Assemble ? cubinFolder() : StringRef(),
                                         Options.Jobs)
                      .moveInto(Earlier))
      return E;
  if (Error E = enumerate())
    return E;
  if (writesFrontendBundle())
    return writeFrontend();
  copyRows();
  noteKept();
  return Options.StopAfter <= Phase::Enumerate ? Error::success() : prepareEnumerated();
}

/// The phases between the enumerated variants and the first job.
Error Tuner::prepareEnumerated() {
  double Before = processCpuMs();
  if (Error E = buildReferences())
    return E;
  double ReferencesCpuMs = processCpuMs() - Before;
  if (Error E = checkAuthor())
    return E;
  openPhases(ReferencesCpuMs);
  if (MeasuresBeside) {
    Building->begin();
  } else if (Error E = buildsByModel() ? buildByModel() : buildAll()) {
    return E;
  } else if (Modelling && !buildsByModel()) {
    modelAll();
  }
  if (Options.StopAfter < Phase::Check)
    return Error::success();
  // First, since every other check waits for them.
  if (Options.StopAfter >= Phase::Measure && !modelChooses() && checksOnCpu() && !Limit->assemblingOver())
    OnCpu.run(*Oracle, Compared, checkDepth(Options.Check), Options.Jobs, Target.W.Tolerance, Report);
  std::vector<size_t> FirstBatch;
  if (!MeasuresBeside)
    FirstBatch = Checking->runFirst(/*WithRest=*/(!Measures && !modelChooses()) || Checking->checksRest());
  return Options.StopAfter < Phase::Measure || modelChooses() ? Error::success() : plan(FirstBatch);
}

/// What is measured first.
Error Tuner::plan(ArrayRef<size_t> FirstBatch) {
  if (Error E = writeContentsFiles(Target.W, cubinFolder()))
    return E;
  Expected<std::vector<PlannedJob>> Planned = Jobs->references();
  if (!Planned)
    return Planned.takeError();
  Final = finalRounds(Report, Options.Measuring);
  FirstJobs = std::move(*Planned);
  return Jobs->add(FirstBatch, Final, *FirstJobs);
}

/// A CUDA context takes some hundred milliseconds to create.
void Tuner::beginRunner() {
  if (Runner)
    return Runner->serve(&Stored, Limit->end());
  Runner = RunnerClient::begin({.Commands = {Options.Runner}, .Deadline = Limit->end(), .Store = &Stored});
}

/// Empty where \p Client can run what was compiled.
std::string Tuner::whyNotMeasured(RunnerClient &Client) {
  if (Error E = Client.awaitHellos()) {
    Report.RunnerFailed = true;
    return toString(std::move(E));
  }
  const protocol::Hello Gpu = Client.hellos().front();
  return Gpu.HasGpu ? whyNotRunnable(Gpu, Report.Device) : Gpu.Message;
}

/// Fills in times, or why there are none: the report is worth having without.
void Tuner::measure(std::vector<PlannedJob> Planned) {
  auto Opens = std::chrono::steady_clock::now();
  beginRunner();
  std::unique_ptr<RunnerClient> Client = std::move(Runner); // Which ends here, unless all went well.
  MeasurePhase Measuring(
      Report, Final,
      {*Checking, *Chooser, MeasuresBeside ? Building.get() : nullptr, *Limit, Shown, CubinHome->path().str(),
       /*WantsAll=*/Options.Exhaustive || !Options.Variants.empty(),
       /*ChecksRest=*/MeasuresBeside && Checking->checksRest(),
       [this](ArrayRef<size_t> Batch, FinalRounds &Finalists, std::vector<PlannedJob> &Added) {
         return Jobs->add(Batch, Finalists, Added);
       }});
  Report.NotMeasured = whyNotMeasured(*Client);
  if (!Report.NotMeasured.empty())
    return Measuring.runUnmeasured();
  const protocol::Hello Gpu = Client->hellos().front();
  if (!Gpu.SharedUnfilled.empty())
    Shown.warn("warning: what earlier kernels left in shared memory stays there before a check on the GPU: " +
               Gpu.SharedUnfilled);
  Stored.begin(Gpu, RunnerOptions().JobTimeoutSeconds,
               "LLVM " LLVM_VERSION_STRING ", " + Builder->assembler());
  Report.Measuring.emplace();
  auto Began = std::chrono::steady_clock::now();
  Report.Measuring->OpeningMs = std::chrono::duration<double, std::milli>(Began - Opens).count();
  MeasurePhase::Outcome Done;
  Error Failure = Measuring.run(*Client, std::move(Planned), Done);
  NotRun = Done.NotRun;
  Report.Measuring->WallMs +=
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - Began).count();
  Stored.finish();
  finishJoining(Report, Gpu, Done.Missing, Done.Planned);
  // Not even the source as written could be run, for lack of memory, say, or with a driver too old for the
  // cubin.
  bool StockRefused =
      Report.Stock.Status == VariantStatus::Runner || Report.Stock.Status == VariantStatus::Launch;
  Report.RunnerFailed = StockRefused && !Report.NotMeasured.empty();
  if (!Failure) {
    Client->serve(nullptr, std::nullopt);
    Runner = std::move(Client);
    return;
  }
  Report.NotMeasured += (Report.NotMeasured.empty() ? "" : ": ") + toString(std::move(Failure));
  Report.RunnerFailed = true;
}

Expected<TuneReport> Tuner::finish(std::optional<double> Seconds) {
  if (!FirstJobs) {
    if (asksModel() && Builder)
      noteWinnersHeader(Target.W, *Builder, Variants, Report);
    noteKept();
    return std::move(Report);
  }
  if (Seconds)
    Limit->endIn(*Seconds);
  if (Options.BundleDirectory.empty()) {
    measure(std::move(*FirstJobs));
    noteBuilt();
    noteWinnersHeader(Target.W, *Builder, Variants, Report);
    noteSpeedOfLight();
    if (Error E = checkSomethingIsLeft())
      return std::move(E);
  } else if (Error E = writeBundleOf(std::move(*FirstJobs)))
    return std::move(E);
  Report.SearchNote = WhyByMetrics.empty() ? Chooser->whyDone() : WhyByMetrics;
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
