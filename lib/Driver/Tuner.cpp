//===- Tuner.cpp - A tuning run, phase by phase -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/Tuner.h"
#include "ResultJoin.h"
#include "gpuprune/Runtime/Bundle.h"
#include "gpuprune/Runtime/RunnerClient.h"
#include "gpuprune/Search/Pareto.h"
#include "gpuprune/Search/SpillScreen.h"
#include "gpuprune/Search/Space.h"
#include "gpuprune/Search/Strategy.h"
#include "gpuprune/Support/CpuTime.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"

using namespace llvm;

namespace gpuprune {

/// Variants in one run of ptxas: enough that its start is paid once for many,
/// few enough that all cores have some.
static constexpr size_t LargestBatch = 20;

unsigned Tuner::threads() const { return hardware_concurrency(Options.Jobs).compute_thread_count(); }

Error Tuner::setUp() {
  Expected<Workload> Loaded = loadWorkload(Options.Workload);
  if (!Loaded)
    return Loaded.takeError();
  W = std::move(*Loaded);
  if (W.Launches.size() != 1)
    return makeError(ErrorKind::Input,
                     formatv("{0}: launches: {1} launches; tune takes workloads of one", W.Path, W.Launches.size()));
  Expected<const DeviceInfo *> Row = findDevice(Options.Device);
  if (!Row)
    return Row.takeError();
  Device = *Row;
  Expected<Toolchain> Found = findToolchain();
  if (!Found)
    return Found.takeError();
  Tools = std::move(*Found);
  Expected<TemporaryDirectory> Home = TemporaryDirectory::create();
  if (!Home)
    return Home.takeError();
  CubinHome.emplace(std::move(*Home));
  Builder = std::make_unique<VariantBuilder>(W, Tools, *Device);
  Report.Workload = W.Path;
  Report.Source = W.Source;
  Report.Flags = W.Flags;
  Report.Kernel = W.Launches.front().Kernel;
  Report.Device = Device->Arch;
  Report.Exhaustive = Options.Exhaustive;
  Report.AuthorDefines = Builder->definesText(Variant());
  ListSeparator Comma(",");
  for (const std::string &Name : W.SizeNames)
    Report.Size += (StringRef(Comma) + Name + "=" + Twine(W.TuneSize.lookup(Name))).str();
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
  for (const KernelLoop &L : Kernel->Loops)
    Report.Loops.push_back({L.Number, L.Depth, L.Line, L.TripCount, L.Exact});
  if (W.Space)
    return spaceOf(W);
  Expected<ResolvedProblem> Problem = resolve(W, W.TuneSize);
  if (!Problem)
    return Problem.takeError();
  KernelFacts Facts;
  for (const KernelLoop &L : Kernel->Loops)
    Facts.Loops.push_back(
        {L.Number, L.Depth, L.Constant ? std::optional<uint64_t>(L.TripCount) : std::nullopt});
  for (unsigned D = 0; D < Dim3::size(); ++D)
    Facts.GridUsed[D] = Problem->Launches.front().Grid[D] > 1;
  Facts.HasSharedArrays = Kernel->SharedBytes > 0;
  Facts.Defines = W.Defines;
  return deriveSpace(Facts);
}

Error Tuner::enumerate() {
  Shown.begin(phaseName(Phase::Prepare), 1);
  Expected<Space> Searched = makeSpace();
  if (!Searched)
    return Searched.takeError();
  Shown.step();
  if (Options.StopAfter < Phase::Enumerate)
    return Error::success();
  Expected<Enumeration> All = Searched->enumerate();
  if (!All)
    return All.takeError();
  if (All->Variants.empty())
    return makeError(ErrorKind::Input, W.Path + ": space: the constraints leave no variant");
  Report.Combinations = All->Combinations;
  Report.RemovedByConstraints = All->RemovedByConstraints;
  for (Variant &V : All->Variants)
    Variants.emplace_back(std::move(V));
  addReferences();
  return Builder->runFrontends(Variants, Options.Jobs);
}

/// The stock kernel, and for each choice of defines the prepared kernel.
void Tuner::addReferences() {
  References.emplace_back(Variant(), /*Stock=*/true);
  StringMap<char> Seen;
  for (const BuiltVariant &V : Variants)
    if (Seen.try_emplace(Builder->definesText(V.Parts)).second) {
      Variant Prepared;
      Prepared.Defines = V.Parts.Defines;
      References.emplace_back(std::move(Prepared));
    }
}

void Tuner::compileAll() {
  Shown.begin(phaseName(Phase::CodeGen), Variants.size() + References.size());
  DefaultThreadPool Pool(hardware_concurrency(Options.Jobs));
  for (std::vector<BuiltVariant> *List : {&References, &Variants})
    for (BuiltVariant &V : *List)
      Pool.async([this, &V] {
        Builder->compile(V);
        Shown.step();
      });
  Pool.wait();
  Shown.end();
}

/// Variants with the same PTX and the same launch are one: the first.
void Tuner::findTwins() {
  StringMap<const BuiltVariant *> First;
  for (BuiltVariant &V : Variants) {
    if (!V.alive())
      continue;
    auto Key = [](const Dim3 &D) { return formatv("{0},{1},{2};", D.X, D.Y, D.Z).str(); };
    auto [Entry, IsNew] = First.try_emplace(
        Key(V.Row.Grid) + Key(V.Row.Block) + std::to_string(V.Row.DynamicShared) + ";" + V.Ptx, &V);
    if (!IsNew)
      V.Row.Twin = Entry->second->Row.Variant;
  }
}

std::vector<BuiltVariant *> Tuner::live() {
  std::vector<BuiltVariant *> Live;
  for (std::vector<BuiltVariant> *List : {&References, &Variants})
    for (BuiltVariant &V : *List)
      if (V.alive() && !V.Row.isDuplicate())
        Live.push_back(&V);
  return Live;
}

Error Tuner::assembleAll() {
  std::vector<BuiltVariant *> Live = live();
  if (!Options.BundleDirectory.empty())
    if (std::error_code EC = sys::fs::create_directories(Options.BundleDirectory))
      return makeError(ErrorKind::Io, formatv("cannot make the folder '{0}': {1}", Options.BundleDirectory,
                                              EC.message()));
  StringRef Home = Options.BundleDirectory.empty() ? CubinHome->path() : StringRef(Options.BundleDirectory);
  Shown.begin(phaseName(Phase::Assemble), Live.size());
  size_t PerThread = divideCeil(Live.size(), threads());
  size_t BatchSize = std::clamp<size_t>(PerThread, 1, LargestBatch);
  DefaultThreadPool Pool(hardware_concurrency(Options.Jobs));
  for (size_t Begin = 0; Begin < Live.size(); Begin += BatchSize) {
    MutableArrayRef<BuiltVariant *> Batch = MutableArrayRef(Live).slice(Begin, std::min(BatchSize, Live.size() - Begin));
    SmallString<128> Path = Home;
    sys::path::append(Path, formatv("batch{0}.cubin", Begin / BatchSize).str());
    Pool.async([this, Batch, Path = std::string(Path)] {
      Builder->assembleBatch(Batch, Path);
      for (size_t I = 0; I < Batch.size(); ++I)
        Shown.step();
    });
  }
  Pool.wait();
  Shown.end();
  return Error::success();
}

void Tuner::copyRows() {
  Report.Variants.clear();
  for (const BuiltVariant &V : Variants)
    Report.Variants.push_back(V.Row);
  Report.PassKernel = Builder->passKernel();
  if (!References.empty())
    Report.Stock = References.front().Row;
}

void Tuner::prune() {
  copyRows();
  screenSpills(Report.Variants, *Device);
  copyTwins(Report);
  ParetoOptions Pruning;
  Pruning.KeepSpills = Options.KeepSpills;
  markPareto(Report.Variants, Pruning);
}

std::vector<size_t> Tuner::toMeasure() const {
  ParetoOptions Pruning;
  Pruning.KeepSpills = Options.KeepSpills;
  std::unique_ptr<Strategy> Chosen = Options.Exhaustive ? makeExhaustiveStrategy() : makeParetoStrategy(Pruning);
  return Chosen->nextBatch(Report.Variants);
}

const BuiltVariant *Tuner::referenceOf(const BuiltVariant &V) const {
  std::string Defines = Builder->definesText(V.Parts);
  for (const BuiltVariant &R : drop_begin(References))
    if (Builder->definesText(R.Parts) == Defines && R.alive())
      return &R;
  return nullptr;
}

Expected<std::vector<protocol::Job>> Tuner::plan() {
  std::vector<protocol::Job> Jobs;
  const BuiltVariant &Stock = References.front();
  if (!Stock.alive())
    return makeError(ErrorKind::CodeGen, "the kernel as written cannot be compiled: " + Stock.Row.Message);
  auto Add = [&](const BuiltVariant &V, const BuiltVariant &Reference, std::string Id, bool Time) -> Error {
    Expected<protocol::Job> Job =
        makeJob(V, std::move(Id), {W, *Builder, Stock, Reference, Options.Measuring});
    if (!Job)
      return Job.takeError();
    if (!Time)
      Job->Timing.reset();
    Jobs.push_back(std::move(*Job));
    return Error::success();
  };
  if (Error E = Add(Stock, Stock, StockJobId, /*Time=*/true))
    return std::move(E);
  for (const BuiltVariant &R : drop_begin(References))
    if (R.alive())
      if (Error E = Add(R, R, referenceJobId(Builder->definesText(R.Parts)), /*Time=*/false))
        return std::move(E);
  for (size_t Row : toMeasure())
    if (const BuiltVariant *Reference = referenceOf(Variants[Row]))
      if (Error E = Add(Variants[Row], *Reference, variantJobId(Row), /*Time=*/true))
        return std::move(E);
  return Jobs;
}

Error Tuner::writeBundleOf(ArrayRef<protocol::Job> Jobs) {
  Report.NotMeasured = "measure with: gpuprune-runner " + Options.BundleDirectory +
                       " > results.jsonl; then: gpuprune report " + Options.BundleDirectory +
                       " --results results.jsonl";
  return writeBundle(Options.BundleDirectory, json::Object{{"report", toJSON(Report)}}, Jobs);
}

Error Tuner::measure(std::vector<protocol::Job> Jobs) {
  RunnerOptions Running;
  Running.Commands = {Options.Runner};
  Expected<std::unique_ptr<RunnerClient>> Client = RunnerClient::start(Running);
  if (!Client) {
    Report.NotMeasured = toString(Client.takeError());
    return Error::success();
  }
  if (!(*Client)->hasGpu()) {
    Report.NotMeasured = (*Client)->hellos().front().Message;
    return Error::success();
  }
  const protocol::Hello Hello = (*Client)->hellos().front();
  Report.Gpu = formatv("{0} (compute capability {1}.{2}, driver {3})", Hello.Device, Hello.Major, Hello.Minor,
                       Hello.DriverVersion);
  for (protocol::Job &Job : Jobs)
    resolveCubins(Job, CubinHome->path());
  Shown.begin(phaseName(Phase::Measure), Jobs.size());
  Error Failure = (*Client)->run(Jobs, [&](const protocol::Result &Result) {
    joinResult(Report, Result);
    std::optional<size_t> Best = Report.winner();
    Shown.step(Best ? formatv("best {0:F3} ms  {1}", *Report.Variants[*Best].MedianMs, Report.Variants[*Best].Variant)
                          .str()
                    : "");
  });
  Shown.end();
  copyTwins(Report);
  return Failure;
}

Expected<TuneReport> Tuner::run() {
  Report.StoppedAfter = phaseName(Options.StopAfter);
  if (Error E = setUp())
    return std::move(E);
  if (Error E = enumerate())
    return std::move(E);
  copyRows();
  if (Options.StopAfter <= Phase::Enumerate) {
    Report.NotMeasured = "stopped after phase " + Report.StoppedAfter;
    return std::move(Report);
  }
  double CpuBefore = processCpuMs();
  compileAll();
  findTwins();
  if (Options.StopAfter >= Phase::Assemble)
    if (Error E = assembleAll())
      return std::move(E);
  Report.CpuMsPerVariant = (processCpuMs() - CpuBefore) / (Variants.size() + References.size());
  prune();
  if (Options.StopAfter < Phase::Measure) {
    Report.NotMeasured = "stopped after phase " + Report.StoppedAfter;
    return std::move(Report);
  }
  Expected<std::vector<protocol::Job>> Jobs = plan();
  if (!Jobs)
    return Jobs.takeError();
  Error Failed =
      Options.BundleDirectory.empty() ? measure(std::move(*Jobs)) : writeBundleOf(*Jobs);
  if (Failed)
    return std::move(Failed);
  return std::move(Report);
}

} // namespace gpuprune
