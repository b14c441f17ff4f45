//===- VariantBuilder.cpp - From a variant's text to its code and metrics ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/VariantBuilder.h"
#include "CountingProblem.h"
#include "LaunchCheck.h"
#include "gpuprune/Analysis/Metrics.h"
#include "gpuprune/Driver/MeasurePlan.h"
#include "gpuprune/Driver/TuneReport.h"
#include "gpuprune/Runtime/Bundle.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"
#include "gpuprune/Transforms/Kernels.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/ThreadPool.h"

using namespace llvm;

namespace gpuprune {

BuiltVariant::BuiltVariant(Variant V, bool Stock) : Parts(std::move(V)), Stock(Stock) {
  Row.Variant = printVariant(Parts);
}

static VariantStatus statusOf(ErrorKind Kind) {
  switch (Kind) {
  case ErrorKind::Refused:
    return VariantStatus::Refused;
  case ErrorKind::Frontend:
    return VariantStatus::Frontend;
  case ErrorKind::Ptxas:
    return VariantStatus::Ptxas;
  case ErrorKind::Resources:
    return VariantStatus::Resources;
  default:
    return VariantStatus::CodeGen;
  }
}

void BuiltVariant::fail(Error E) {
  TakenError Taken = takeError(std::move(E));
  FailedAs = Taken.Kind;
  Row.Status = statusOf(Taken.Kind);
  Row.Message = std::move(Taken.Text);
}

/// \p Error, with the way to do without clang++.
static Error withoutClang(Error E) {
  TakenError Taken = takeError(std::move(E));
  return makeError(Taken.Kind, Taken.Text +
                                   "; a machine without clang++ takes the folder that 'gpuprune tune "
                                   "WORKLOAD --stop-after=frontend --bundle=DIR' has written on another");
}

/// The mistake of taking a measuring bundle for a workload.
static Error checkNoPlan(StringRef Path) {
  SmallString<256> Plan(Path), Yaml(Path);
  sys::path::append(Plan, PlanFileName);
  sys::path::append(Yaml, "workload.yaml");
  if (!sys::fs::exists(Plan) || sys::fs::exists(Yaml))
    return Error::success();
  return makeError(ErrorKind::Input,
                   formatv("'{0}' is a measuring bundle, whose variants are made already; go on "
                           "with: gpuprune-runner {0} > results.jsonl",
                           Path));
}

static Error checkOneLaunch(const Workload &W) {
  if (W.Launches.size() == 1)
    return Error::success();
  return makeError(ErrorKind::Input,
                   formatv("{0}: launches: {1} launches; expected one, more are not supported yet", W.Path,
                           W.Launches.size()));
}

static Expected<TuningTarget> loadFromBundle(StringRef Directory, StringRef DeviceName) {
  Expected<FrontendBundle> Bundle = readFrontendBundle(Directory);
  if (!Bundle)
    return Bundle.takeError();
  Expected<Workload> W = workloadOf(*Bundle);
  if (!W)
    return W.takeError();
  if (Error E = checkOneLaunch(*W))
    return std::move(E);
  Expected<const DeviceInfo *> Device = findTargetDevice(Bundle->Device);
  if (!Device)
    return Device.takeError();
  Expected<const DeviceInfo *> Asked = findTargetDevice(DeviceName.empty() ? Bundle->Device : DeviceName);
  if (!Asked)
    return Asked.takeError();
  if (*Asked != *Device)
    return makeError(ErrorKind::Usage,
                     formatv("--device={0}: the bundle '{1}' was compiled for {2}; write one for {3} "
                             "where clang++ is",
                             DeviceName, Directory, (*Device)->Arch, (*Asked)->Arch));
  if (Error E = checkLaunchFitsDevice(*W, **Device))
    return std::move(E);
  Expected<Toolchain> Tools = findAssembler();
  if (!Tools)
    return Tools.takeError();
  return TuningTarget{std::move(*W), *Device, std::move(*Tools), std::move(*Bundle)};
}

Expected<TuningTarget> loadTarget(StringRef WorkloadPath, StringRef DeviceName) {
  if (isFrontendBundle(WorkloadPath))
    return loadFromBundle(WorkloadPath, DeviceName);
  if (Error E = checkNoPlan(WorkloadPath))
    return std::move(E);
  Expected<Workload> W = loadWorkload(WorkloadPath);
  if (!W)
    return W.takeError();
  if (Error E = checkOneLaunch(*W))
    return std::move(E);
  Expected<const DeviceInfo *> Device =
      findTargetDevice(DeviceName.empty() ? StringRef(DefaultDevice) : DeviceName);
  if (!Device)
    return Device.takeError();
  if (Error E = checkLaunchFitsDevice(*W, **Device))
    return std::move(E);
  if (Expected<std::string> Clang = findClang(); !Clang)
    return withoutClang(Clang.takeError());
  Expected<Toolchain> Tools = findToolchain();
  if (!Tools)
    return Tools.takeError();
  return TuningTarget{std::move(*W), *Device, std::move(*Tools), std::nullopt};
}

std::vector<std::optional<int64_t>> integerScalars(const ResolvedLaunch &Launch) {
  std::vector<std::optional<int64_t>> Scalars;
  for (const ResolvedArgument &Argument : Launch.Arguments) {
    std::optional<int64_t> Value;
    if (!Argument.Buffer && !isFloatingPoint(Argument.Type)) {
      unsigned Bits = 8 * elementBytes(Argument.Type);
      Value = isSignedInteger(Argument.Type) ? SignExtend64(Argument.Bits, Bits) : Argument.Bits;
    }
    Scalars.push_back(Value);
  }
  return Scalars;
}

static DefineValues definesIn(const Workload &W, const Variant &V) {
  DefineValues Values;
  for (const DefineSetting &D : V.Defines)
    Values[D.Name] = D.Value;
  for (const DefineSpec &D : W.Defines)
    Values.try_emplace(D.Name, D.Values.front());
  return Values;
}

DefineValues VariantBuilder::definesOf(const Variant &V) const { return definesIn(W, V); }

std::string VariantBuilder::definesText(const Variant &V) const {
  DefineValues Values = definesOf(V);
  std::string Text;
  for (const DefineSpec &D : W.Defines)
    Text += (Text.empty() ? "-D" : " -D") + D.Name + "=" + Values.lookup(D.Name);
  return Text;
}

Expected<ResolvedProblem> VariantBuilder::tuneProblem(const Variant &V) const {
  return resolve(W, W.TuneSize, definesOf(V), V.Block);
}

FrontendOutput VariantBuilder::runFrontend(const Variant &V) const {
  FrontendRequest Request{W.Source, W.Flags, {}, Device.Arch};
  DefineValues Values = definesOf(V);
  for (const DefineSpec &D : W.Defines)
    Request.Defines.push_back(D.Name + "=" + Values.lookup(D.Name));
  Expected<std::string> Bitcode = compileToBitcode(Tools, Request);
  if (!Bitcode)
    return {"", takeError(Bitcode.takeError())};
  return checked({std::move(*Bitcode), std::nullopt});
}

Error VariantBuilder::runFrontends(ArrayRef<BuiltVariant> Variants, unsigned Jobs) {
  std::map<std::string, const Variant *> Wanted;
  for (const BuiltVariant &V : Variants)
    if (std::string Key = definesText(V.Parts); !Frontends.contains(Key))
      Wanted.try_emplace(Key, &V.Parts);
  if (Bundle) {
    for (auto &[Key, V] : Wanted)
      if (Error E = takeFromBundle(Key))
        return E;
    return findKernel();
  }
  if (Error E = checkSource(W.Source)) {
    TakenError Unreadable = takeError(std::move(E)),
               Placed = takeError(W.errorAt(W.SourceWhere, Unreadable.Text));
    return makeError(Unreadable.Kind, Placed.Text);
  }
  for (auto &[Key, V] : Wanted)
    Frontends.try_emplace(Key);
  DefaultThreadPool Pool(hardware_concurrency(Jobs));
  for (auto &[Key, V] : Wanted)
    Pool.async([this, Slot = &Frontends[Key], V = V] { *Slot = runFrontend(*V); });
  Pool.wait();
  return findKernel();
}

Error VariantBuilder::takeFromBundle(const std::string &Defines) {
  auto Found = Bundle->Outputs.find(Defines);
  if (Found == Bundle->Outputs.end())
    return makeError(ErrorKind::Input,
                     formatv("the bundle '{0}' has no bitcode for the defines '{1}'; write it anew "
                             "where clang++ is",
                             Bundle->Directory, Defines));
  Frontends.emplace(Defines, checked(Found->second));
  return Error::success();
}

/// Takes what all variants share from the first choice of defines that can be
/// used: one may leave the kernel out, which is the failure of its own variants.
Error VariantBuilder::findKernel() {
  for (const auto &[Defines, F] : Frontends)
    if (!F.Failure)
      return describeKernelIn(F.Bitcode);
  if (Frontends.empty())
    return makeError(ErrorKind::Internal, "there is no variant to compile");
  // What is wrong with the author's own defines tells most.
  auto Told = Frontends.find(definesText(Variant()));
  const TakenError &Failure = *(Told == Frontends.end() ? Frontends.begin() : Told)->second.Failure;
  return makeError(Failure.Kind, Failure.Text);
}

/// Where not exactly one kernel of \p Symbols has the name that the workload says.
static Error noSuchKernel(const Workload &W, ArrayRef<std::string> Named, ArrayRef<std::string> Symbols) {
  const LaunchSpec &Launch = W.Launches.front();
  if (!Named.empty())
    return W.errorAt(Launch.KernelWhere,
                     formatv("'{0}' is the name of several kernels in '{1}'; write the symbol of one: {2}",
                             Launch.Kernel, W.Source, join(Named, ", ")));
  std::vector<std::string> Names; // Instances of a template share one.
  for (const std::string &Symbol : Symbols)
    if (std::string Name = kernelSourceName(Symbol); !is_contained(Names, Name))
      Names.push_back(std::move(Name));
  SmallVector<StringRef, 8> Known(Names.begin(), Names.end());
  return W.errorAt(Launch.KernelWhere,
                   formatv("no kernel '{0}' in '{1}'{2}", Launch.Kernel, W.Source,
                           Known.empty() ? ", which has none" : nearestNameHint(Launch.Kernel, Known)));
}

/// Whether the kernel is there, and takes what the workload gives it.
Error VariantBuilder::checkKernelIn(StringRef Bitcode) const {
  const LaunchSpec &Launch = W.Launches.front();
  Expected<std::vector<std::string>> All = kernelSymbols(Bitcode, "");
  if (!All)
    return All.takeError();
  Expected<std::vector<std::string>> Named = kernelSymbols(Bitcode, Launch.Kernel);
  if (!Named)
    return Named.takeError();
  if (Named->size() != 1)
    return noSuchKernel(W, *Named, *All);
  Expected<std::vector<KernelParameter>> Parameters = kernelParameters(Bitcode, Launch.Kernel);
  return Parameters ? checkArguments(W, Launch, *Parameters) : Parameters.takeError();
}

/// \p Output as it is, or its failure where the kernel is not what the workload says.
FrontendOutput VariantBuilder::checked(FrontendOutput Output) const {
  if (!Output.Failure)
    if (Error E = checkKernelIn(Output.Bitcode))
      Output = {"", TakenError{ErrorKind::Frontend, takeError(std::move(E)).Text}};
  return Output;
}

Error VariantBuilder::describeKernelIn(StringRef Bitcode) {
  Expected<std::vector<std::string>> All = kernelSymbols(Bitcode, "");
  if (!All)
    return All.takeError();
  PassKernel = All->size() > 1 ? W.Launches.front().Kernel : "";
  return targetFeatures(Bitcode).moveInto(Features);
}

Expected<VariantRequest> VariantBuilder::requestFor(const BuiltVariant &V) const {
  auto Found = Frontends.find(definesText(V.Parts));
  if (Found == Frontends.end())
    return makeError(ErrorKind::Internal, "the front end has not run for '" + V.Row.Variant + "'");
  if (const std::optional<TakenError> &Failure = Found->second.Failure)
    return makeError(Failure->Kind, Failure->Text);
  Expected<ResolvedProblem> Problem = tuneProblem(V.Parts);
  if (!Problem)
    return Problem.takeError();
  const ResolvedLaunch &Launch = Problem->Launches.front();
  VariantRequest Request;
  Request.Bitcode = Found->second.Bitcode;
  std::vector<PassElement> Pipeline = V.Parts.Pipeline;
  nameLaunch(Pipeline, Launch.Block);
  Request.Pipeline = printPipeline(withKernel(std::move(Pipeline), PassKernel));
  Request.Stock = V.Stock;
  Request.FuseMultiplyAdds = fusesMultiplyAdds(W.Flags);
  Request.Kernel = Launch.Kernel;
  Request.AuthorLaunch = {Launch.Grid, Launch.Block, integerScalars(Launch), Launch.SharedBytes, {}};
  return Request;
}

/// Compiles and keeps what is the kernel's own.
static Error compileRequest(const VariantRequest &Request, BuiltVariant &V) {
  Expected<VariantCode> Code = compileVariant(Request);
  if (!Code)
    return Code.takeError();
  if (Code->Symbol.empty())
    return makeError(ErrorKind::Frontend,
                     formatv("with the defines of '{0}' the source does not have exactly one kernel "
                             "'{1}'",
                             V.Row.Variant, Request.Kernel));
  V.Ptx = std::move(Code->Ptx);
  V.Symbol = std::move(Code->Symbol);
  V.FinalBitcode = std::move(Code->FinalBitcode);
  V.Kernel = std::move(Code->Kernels[V.Symbol]);
  return Error::success();
}

/// What an SM caches of constant memory (CUDA C++ programming guide, technical
/// specifications per compute capability: 8 KB on all of them).
static constexpr uint64_t ConstantCacheBytes = 8192;

/// The parameters that are read uniformly, as many as are cached together.
static std::vector<UniformTable> uniformTablesOf(const ResolvedProblem &Problem,
                                                 const VariantKernel &Kernel) {
  std::vector<UniformTable> Tables;
  uint64_t Bytes = 0;
  ArrayRef<ResolvedArgument> Arguments = Problem.Launches.front().Arguments;
  for (unsigned Number : Kernel.UniformTables) {
    if (Number >= Arguments.size() || !Arguments[Number].Buffer)
      continue;
    uint64_t Wanted = Problem.Buffers[*Arguments[Number].Buffer].Bytes;
    if (Bytes + Wanted > ConstantCacheBytes)
      continue;
    Bytes += Wanted;
    Tables.push_back({Number, Wanted});
  }
  return Tables;
}

/// Sizes that the variant's block does not divide are none.
static std::optional<LaunchGrids> gridsOf(const Workload &W, const Variant &V) {
  DefineValues Defines = definesIn(W, V);
  std::vector<Environment> Sizes = W.CheckSizes;
  Sizes.push_back(W.TuneSize);
  LaunchGrids Grids;
  for (const auto &[I, Size] : enumerate(Sizes)) {
    Expected<ResolvedProblem> Problem = resolve(W, Size, Defines, V.Block);
    bool IsTune = I + 1 == Sizes.size();
    if (Problem)
      (IsTune ? Grids.Tune : Grids.Checks.emplace_back()) = Problem->Launches.front().Grid;
    else
      consumeError(Problem.takeError());
    if (IsTune && !Problem)
      return std::nullopt;
  }
  return Grids;
}

Expected<Space> spaceFor(const Workload &W, const VariantKernel &Kernel) {
  if (W.Space)
    return spaceOf(W);
  Expected<ResolvedProblem> Problem = resolve(W, W.TuneSize);
  if (!Problem)
    return Problem.takeError();
  KernelFacts Facts;
  for (const KernelLoop &L : Kernel.Loops)
    Facts.Loops.push_back({L.Number, L.Depth,
                           L.Constant ? std::optional<uint64_t>(L.TripCount) : std::nullopt, L.ReadsTile,
                           L.Jams});
  for (unsigned D = 0; D < Dim3::size(); ++D)
    Facts.GridUsed[D] = Problem->Launches.front().Grid[D] > 1;
  Facts.HasSharedArrays = Kernel.SharedBytes > 0 || Problem->Launches.front().SharedBytes > 0;
  Facts.DependsOnWarps = Kernel.DependsOnWarps;
  Facts.HasRaggedLoops = Kernel.HasRaggedLoops;
  Facts.Block = Problem->Launches.front().Block;
  for (unsigned D = 0; D < Dim3::size(); ++D)
    Facts.BlockFree[D] = W.blockIsFree(D);
  for (const ResolvedBuffer &B : Problem->Buffers)
    if (B.Bytes > ConstantCacheBytes && is_contained(Kernel.ConstantSymbols, B.Symbol))
      Facts.Tables.push_back(B.Symbol);
  Facts.Uniform = uniformTablesOf(*Problem, Kernel);
  Facts.Defines = W.Defines;
  Facts.GridsOf = [&W](const Variant &V) { return gridsOf(W, V); };
  return deriveSpace(Facts);
}

Expected<VariantKernel> VariantBuilder::inspect() {
  BuiltVariant Author{Variant()};
  if (Error E = runFrontends(Author, 1))
    return std::move(E);
  Expected<VariantRequest> Request = requestFor(Author);
  if (!Request)
    return Request.takeError();
  Request->CollectLoops = true;
  Request->CountByRunning =
      blockCounter(cantFail(tuneProblem(Author.Parts)), definesText(Author.Parts), Counted);
  if (Error E = compileRequest(*Request, Author))
    return std::move(E);
  return Author.Kernel;
}

Error VariantBuilder::compileOrFail(BuiltVariant &V) const {
  Expected<VariantRequest> Request = requestFor(V);
  if (!Request)
    return Request.takeError();
  Request->KeepFinalBitcode = KeepsFinalBitcode && !V.Stock;
  Request->CountByRunning = blockCounter(cantFail(tuneProblem(V.Parts)), definesText(V.Parts), Counted);
  if (Error E = compileRequest(*Request, V))
    return E;
  Expected<LaunchShape> Shape = V.Kernel.Contract.physical(
      {*Request->AuthorLaunch.Grid, *Request->AuthorLaunch.Block, Request->AuthorLaunch.SharedBytes});
  if (!Shape)
    return Shape.takeError();
  ResolvedProblem Problem = cantFail(tuneProblem(V.Parts)); // requestFor resolved it.
  if (Error E = checkConstantCopies(V.Kernel.Contract, Problem))
    return E;
  if (Error E = checkPointers(V.Kernel.Contract, Problem, Request->Bitcode))
    return E;
  V.Row.PointerAlignment = V.Kernel.Contract.PointerAlignment;
  V.Row.ConstantCopies = V.Kernel.Contract.ConstantCopies;
  V.Row.Grid = Shape->Grid;
  V.Row.Block = Shape->Block;
  V.Row.DynamicShared = Shape->SharedBytes;
  for (auto [Parameter, Value] : zip_equal(V.Kernel.Contract.Hidden, Shape->Hidden))
    V.Row.Hidden.push_back({hiddenParameterName(Parameter).str(), Value});
  V.Row.Instr = V.Kernel.Counts.Instr;
  V.Row.Regions = V.Kernel.Counts.Regions;
  V.Row.Source = V.Kernel.Counts.Source;
  V.Row.InstrNote = join(V.Kernel.Counts.Reasons, "; ");
  return checkLaunchLimits(Device, V.Row.Grid, V.Row.Block);
}

void VariantBuilder::compile(BuiltVariant &V) const {
  if (Error E = compileOrFail(V))
    V.fail(std::move(E));
}

const std::string &VariantBuilder::assembler() const {
  std::call_once(AssemblerAsked, [this] { Assembler = assemblerIdentity(Tools, Device); });
  return Assembler;
}

static std::string identityOf(StringRef Ptx, const std::string &Assembler) {
  if (Assembler.empty())
    return "";
  return "ptx " + toHex(SHA256::hash(arrayRefFromStringRef(Ptx)), /*LowerCase=*/true) + " " + Assembler;
}

void VariantBuilder::assembleBatch(MutableArrayRef<BuiltVariant *> Batch,
                                   const std::string &CubinPath) const {
  std::vector<AssemblyJob> Jobs;
  for (const BuiltVariant *V : Batch)
    Jobs.push_back({V->Ptx, V->Symbol});
  std::vector<Expected<AssembledKernel>> Results = assemble(Tools, Device, Jobs, CubinPath);
  for (auto [V, Result] : zip(Batch, Results)) {
    if (!Result) {
      V->fail(Result.takeError());
      continue;
    }
    V->Code = std::move(*Result);
    V->CodeIdentity = identityOf(V->Ptx, assembler());
    fillMetrics(*V);
  }
}

void VariantBuilder::fillMetrics(BuiltVariant &V) const {
  const CubinKernel &Resources = V.Code->Resources;
  VariantResult &Row = V.Row;
  Row.Registers = Resources.Registers;
  Row.SharedBytes = Resources.StaticShared;
  Row.LocalBytes = Resources.LocalBytes;
  Row.SpillStoreBytes = V.Code->SpillStoreBytes;
  Row.SpillLoadBytes = V.Code->SpillLoadBytes;
  KernelResources Needs;
  Needs.Registers = Resources.Registers;
  Needs.StaticShared = Resources.StaticShared;
  Needs.DynamicShared = Row.DynamicShared;
  Needs.ThreadsPerBlock = Row.Block.X * Row.Block.Y * Row.Block.Z;
  Needs.Barriers = Resources.Barriers;
  Occupancy Fits = computeOccupancy(Device, Needs);
  Row.BlocksPerSM = Fits.BlocksPerSM;
  Row.Occupancy = Fits.Fraction;
  Row.Limiter = Fits.Limiter;
  if (Fits.BlocksPerSM == 0) {
    Row.Status = VariantStatus::Resources;
    Row.Message = Fits.Reason;
    return;
  }
  double Blocks = double(Row.Grid.X) * Row.Grid.Y * Row.Grid.Z;
  Row.Efficiency =
      efficiency(*Row.Instr, Blocks * Needs.ThreadsPerBlock) * loadBalance(Blocks, Device.SMCount);
  Row.Utilization = utilization(*Row.Instr, *Row.Regions, Fits.WarpsPerBlock,
                                residentBlocks(Blocks, Device.SMCount, Fits.BlocksPerSM));
}

} // namespace gpuprune
