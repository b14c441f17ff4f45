//===- VariantBuilder.cpp - From a variant's text to its code and metrics ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/VariantBuilder.h"
#include "CountingProblem.h"
#include "gpuprune/Analysis/Metrics.h"
#include "gpuprune/CodeGen/KernelAlone.h"
#include "gpuprune/Passes/Registry.h"
#include "gpuprune/Report/TuneReport.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"
#include "gpuprune/Support/RegularFile.h"
#include "gpuprune/Transforms/KernelNames.h"
#include "gpuprune/Variant/BlockDimensions.h"
#include "gpuprune/Variant/LaunchCheck.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/ThreadPool.h"

using namespace llvm;

namespace gpuprune {

std::vector<Variant> partsOf(ArrayRef<BuiltVariant> Built) {
  std::vector<Variant> Parts;
  for (const BuiltVariant &V : Built)
    Parts.push_back(V.parts());
  return Parts;
}

BuiltVariant::BuiltVariant(Variant V, bool Stock) : Stock(Stock) { Row.Parts = std::move(V); }

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

void BuiltVariant::fail(Error E) { fail(takeError(std::move(E))); }

void BuiltVariant::fail(TakenError Taken) {
  FailedAs = Taken.Kind;
  Row.Status = statusOf(Taken.Kind);
  Row.Message = std::move(Taken.Text);
  Row.Refusal = Taken.Refusal;
}

void BuiltVariant::failLaunch(Error E) {
  fail(std::move(E));
  Row.Status = VariantStatus::Launch;
}

DefineValues VariantBuilder::definesOf(const Variant &V) const { return definesIn(W, V); }

const LaunchChoice &VariantBuilder::choiceOf(const Variant &V) const {
  std::string Key = printVariant({V.Defines, V.Block, {}});
  std::lock_guard<std::mutex> Guard(ChoicesLock);
  auto [Known, IsNew] = Choices.try_emplace(Key);
  if (IsNew)
    Known->second = launchChoice(W, V);
  return Known->second;
}

std::string VariantBuilder::definesText(const Variant &V) const {
  DefineValues Values = definesOf(V);
  std::string Text;
  for (const DefineSpec &D : W.Defines)
    Text += (Text.empty() ? "-D" : " -D") + D.Name + "=" + Values.lookup(D.Name);
  return Text;
}

Expected<ResolvedProblem> VariantBuilder::tuneProblem(const Variant &V) const {
  DefineValues Defines = definesOf(V);
  if (Error E = completeDefines(W, Defines).takeError())
    return std::move(E);
  Expected<ResolvedProblem> Problem = resolve(W, W.TuneSize, Defines, V.Block);
  if (Problem)
    return Problem;
  TakenError Taken = takeError(Problem.takeError());
  return makeError(Taken.Kind,
                   formatv("cannot be launched at {0}: {1}", sizeName(W, W.TuneSize), Taken.Text));
}

/// What the kernel leaves where nothing looks.
std::vector<std::string> VariantBuilder::uncheckedOutputs(const DeviceDescription &Found) const {
  std::vector<std::string> Warnings;
  for (const DeviceVariable &V : Found.Variables)
    if (V.Written)
      Warnings.push_back(
          formatv("{0}: warning: the kernel writes the variable '{1}', which is no buffer: what it leaves "
                  "there is not compared",
                  W.Here, V.Symbol));
  return Warnings;
}

FrontendOutput VariantBuilder::runFrontend(const Variant &V) const {
  FrontendOutput Output = checked(compileSource(V));
  append_range(Output.Warnings, uncheckedOutputs(Output.Description));
  return Output;
}

std::vector<std::string> VariantBuilder::takeWarnings() {
  std::vector<std::string> Warnings;
  for (auto &[Defines, F] : Frontends)
    for (std::string &Warning : std::exchange(F.Warnings, {}))
      if (Warned.insert(Warning).second)
        Warnings.push_back(std::move(Warning));
  return Warnings;
}

Error VariantBuilder::runFrontends(ArrayRef<BuiltVariant> Variants, unsigned Jobs) {
  std::map<std::string, const Variant *> Wanted;
  for (const BuiltVariant &V : Variants)
    if (std::string Key = definesText(V.parts()); !Frontends.contains(Key))
      Wanted.try_emplace(Key, &V.parts());
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
    if (!F.Failure) {
      describeKernel(F.Description);
      return Error::success();
    }
  if (Frontends.empty())
    return makeError(ErrorKind::Internal, "there is no variant to compile");
  // What is wrong with the author's own defines tells most.
  auto Told = Frontends.find(definesText(Variant()));
  const TakenError &Failure = *(Told == Frontends.end() ? Frontends.begin() : Told)->second.Failure;
  return makeError(Failure.Kind, Failure.Text);
}

/// What to do where the kernel \p Name is a template, which has no code before it is instantiated. Clang
/// tells nothing of those: by its arguments, or by its name in the source.
static std::string templateHint(StringRef Name, StringRef Source) {
  StringRef Bare = Name.split('<').first;
  Bare = Bare.substr(Bare.rfind(':') + 1);
  bool MayBe = Name.contains('<');
  if (Expected<std::string> Text = readRegularFile(Source); !Text)
    consumeError(Text.takeError()); // A bundle comes from elsewhere.
  else if (!MayBe)
    MayBe = Regex("template *<[^;{}]*[^A-Za-z0-9_]" + Regex::escape(Bare) + " *\\(").match(*Text);
  if (!MayBe)
    return "";
  return formatv(
      "; a template has a kernel where it is instantiated: add to that file 'template __global__ void "
      "{0}{1}(PARAMETERS);'",
      Name, Name.contains('<') ? "" : "<ARGUMENTS>");
}

/// Where not exactly one kernel of \p Symbols has the name that the workload says.
static Error noSuchKernel(const Workload &W, ArrayRef<std::string> Named, ArrayRef<std::string> Symbols) {
  const LaunchSpec &Launch = W.tuned();
  if (!Named.empty())
    return W.errorAt(Launch.KernelWhere,
                     formatv("'{0}' is the name of several kernels in '{1}'; write one of: {2}",
                             Launch.Kernel, W.Source, join(distinctKernelNames(Named), "; ")));
  std::vector<std::string> Names = distinctKernelNames(Symbols);
  SmallVector<StringRef, 8> Known(Names.begin(), Names.end());
  return W.errorAt(Launch.KernelWhere,
                   formatv("no kernel '{0}' in '{1}'{2}{3}", Launch.Kernel, W.Source,
                           Known.empty() ? ", which has none" : nearestNameHint(Launch.Kernel, Known),
                           templateHint(Launch.Kernel, W.Source)));
}

/// LLVM's PTX back end ends the process on other names.
static bool isNameInPtx(StringRef Symbol) {
  return all_of(Symbol, [](char C) { return isAlnum(C) || C == '_' || C == '$' || C == '.'; });
}

/// Whether the kernel is there, and takes what the workload gives it.
Error VariantBuilder::checkKernel(const DeviceDescription &Found) const {
  const LaunchSpec &Launch = W.tuned();
  if (Found.Named.size() != 1)
    return noSuchKernel(W, Found.Named, Found.Kernels);
  if (auto Other = find_if_not(Found.Kernels, isNameInPtx); Other != Found.Kernels.end())
    return W.errorAt(Launch.KernelWhere,
                     formatv("the kernel '{0}' of '{1}' has a name that PTX does not take; expected "
                             "letters and digits of ASCII",
                             *Other, W.Source));
  if (Error E = checkArguments(W, Launch, Found.Parameters))
    return E;
  return checkSymbols(W, Found.Variables);
}

/// The variables that \p W has buffers for.
static std::vector<std::string> filledSymbols(const Workload &W) {
  std::vector<std::string> Symbols;
  for (const BufferSpec &Buffer : W.Buffers)
    if (!Buffer.Symbol.empty())
      Symbols.push_back(Buffer.Symbol);
  return Symbols;
}

/// Describes the device code, and what of it a variant needs.
Error VariantBuilder::takeApartAnew(FrontendOutput &Output) const {
  const std::string &Kernel = W.tuned().Kernel;
  if (Error E = describeDevice(Output.Bitcode, Kernel).moveInto(Output.Description))
    return E;
  if (Error E = checkKernel(Output.Description))
    return E;
  return kernelAlone(Output.Bitcode, Kernel, filledSymbols(W)).moveInto(Output.Alone);
}

/// \p Output taken apart, or its failure where the kernel is not what the workload says.
FrontendOutput VariantBuilder::checked(FrontendOutput Output) const {
  if (!Output.Failure)
    if (Error E = takeApart(Output))
      Output = {"", TakenError{ErrorKind::Frontend, takeError(std::move(E)).Text}};
  return Output;
}

/// Whether pipelines can hold \p Name, and whatever the defines are it is the kernel's: a
/// symbol may change with them.
static bool isPlainKernelName(StringRef Name) {
  return all_of(Name, [](char C) { return isAlnum(C) || C == '_' || C == ':'; });
}

void VariantBuilder::describeKernel(const DeviceDescription &Found) {
  PassKernel = Found.Kernels.size() > 1 ? W.tuned().Kernel : "";
  if (!isPlainKernelName(PassKernel)) // Not all that a name holds can stand in a pipeline.
    PassKernel = Found.Named.front(); // The only one: checkKernel().
  Features = Found.Features;
}

/// What is wrong with a pipeline is said where it is compiled.
static bool looksAtOthers(StringRef Pipeline) {
  Expected<bool> Looks = looksAtOtherKernels(Pipeline);
  if (Looks)
    return *Looks;
  consumeError(Looks.takeError());
  return true;
}

Expected<VariantRequest> VariantBuilder::requestFor(const BuiltVariant &V, Scope Compiled) const {
  auto Found = Frontends.find(definesText(V.parts()));
  if (Found == Frontends.end())
    return makeError(ErrorKind::Internal, "the front end has not run for '" + V.Row.text() + "'");
  if (const std::optional<TakenError> &Failure = Found->second.Failure)
    return makeError(Failure->Kind, Failure->Text);
  Expected<ResolvedProblem> Problem = tuneProblem(V.parts());
  if (!Problem)
    return Problem.takeError();
  const ResolvedLaunch &Launch = Problem->tuned();
  VariantRequest Request;
  std::vector<PassElement> Pipeline = V.parts().Pipeline;
  nameBlock(Pipeline, Launch.Block);
  Request.Pipeline = printPipeline(withKernel(std::move(Pipeline), PassKernel));
  bool NeedsFile = Compiled == Scope::File || (V.Stock && !Found->second.Alone.AlsoForStock) ||
                   looksAtOthers(Request.Pipeline);
  Request.Bitcode = NeedsFile ? Found->second.Bitcode : Found->second.kernel();
  Request.Stock = V.Stock;
  Request.FuseMultiplyAdds = fusesMultiplyAdds(Flags);
  Request.LimitsCode = LimitsCode && !V.Stock && !V.parts().Pipeline.empty();
  Request.Kernel = Launch.Kernel;
  Request.Filled = filledSymbols(W);
  Request.Launch = {Launch.Grid,        Launch.Block, integerScalars(Launch),
                    Launch.SharedBytes, {},           Device.SMCount};
  return Request;
}

/// Counts by running at the size to tune, which requestFor has resolved. What a sequence has left there is
/// not known on the CPU, so that it would count over something else.
BlockCounter VariantBuilder::counterOf(const Variant &V) const {
  if (W.isSequence())
    return nullptr;
  return blockCounter(cantFail(tuneProblem(V)), definesText(V), Counted);
}

Expected<VariantKernel> VariantBuilder::inspect() {
  BuiltVariant Author{Variant()};
  if (Error E = runFrontends(Author, 1))
    return std::move(E);
  Expected<VariantRequest> Request = requestFor(Author);
  if (!Request)
    return Request.takeError();
  ResolvedProblem Problem = cantFail(tuneProblem(Author.parts())); // requestFor resolved it.
  Request->CollectLoops = true;
  if (!W.Space)
    Request->OffersFor = offerContext(Problem);
  Request->CountByRunning = counterOf(Author.parts());
  if (std::optional<TakenError> Failure = compileRequest(*Request, Author))
    return makeError(Failure->Kind, Failure->Text);
  // Blocks that the workload lists are its author's choice.
  if (!W.Space)
    Author.Kernel.BlockShapes = blockShapes();
  return Author.Kernel;
}

std::vector<ShapesOfDefines> VariantBuilder::blockShapes() {
  std::vector<ShapesOfDefines> Shapes;
  for (Variant &Choice : definesToAsk(W)) {
    BuiltVariant Asked{std::move(Choice)};
    // What cannot be compiled is the failure of its own variants.
    if (Error E = runFrontends(Asked, 1)) {
      consumeError(std::move(E));
      continue;
    }
    const FrontendOutput &Output = Frontends.find(definesText(Asked.parts()))->second;
    Expected<ResolvedProblem> Problem = tuneProblem(Asked.parts());
    Expected<BlockShapeFreedom> Freedom =
        !Output.Failure && Problem
            ? blockShapesIn(Output.kernel(), W.tuned().Kernel, buffersOf(Problem->tuned()))
            : makeError(ErrorKind::Input, "nothing to ask");
    if (Problem && Freedom)
      Shapes.push_back({definesOf(Asked.parts()), std::move(*Freedom)});
    consumeError(joinErrors(Problem.takeError(), Freedom.takeError()));
  }
  return Shapes;
}

Error VariantBuilder::compileOrFail(BuiltVariant &V, CompileReuse *Known) const {
  Expected<VariantRequest> Request = requestFor(V);
  if (!Request)
    return Request.takeError();
  // What others are compared with is run on the CPU in any case.
  Request->KeepFinalBitcode = KeepsFinalBitcode || V.parts().Pipeline.empty();
  Request->CollectFreedom = !V.Stock && V.parts().Pipeline.empty();
  Request->CountByRunning = counterOf(V.parts());
  if (std::optional<TakenError> Failure = compileRequest(*Request, V, Known)) {
    V.fail(std::move(*Failure));
    return Error::success();
  }
  Expected<PhysicalLaunch> Launch = V.Kernel.launchFor(Request->Launch.author(), Device.SMCount);
  if (!Launch)
    return Launch.takeError();
  ResolvedProblem Problem = cantFail(tuneProblem(V.parts())); // requestFor resolved it.
  if (Error E = checkBufferArguments(V.Kernel.Contract, Problem))
    return E;
  if (Error E = checkPointers(V.Kernel.Contract, Problem, Request->Bitcode))
    return E;
  if (Error E = checkEachIteration(W, definesOf(V.parts()), V.parts().Block, V.Kernel))
    return E;
  if (V.parts().Pipeline.empty() && V.Kernel.Bound)
    if (Error E = checkBoundAtEachSize(W, definesOf(V.parts()), V.parts().Block, *V.Kernel.Bound))
      return E;
  if (!V.Stock) {
    const LaunchChoice &Choice = choiceOf(V.parts());
    V.Row.OwnResult = Choice.OwnResult;
    V.Row.NoWin = Choice.whyItCannotWin(V.Kernel);
  }
  V.Row.Launch = std::move(*Launch);
  V.Row.Instr = V.Kernel.Counts.Instr;
  V.Row.Regions = V.Kernel.Counts.Regions;
  V.Row.Source = V.Kernel.Counts.Source;
  V.Row.InstrNote = join(V.Kernel.Counts.Reasons, "; ");
  return checkLaunchLimits(Device, V.Row.Launch.Grid, V.Row.Launch.Block);
}

void VariantBuilder::compile(BuiltVariant &V, CompileReuse *Known) const {
  if (Expected<ResolvedProblem> Problem = tuneProblem(V.parts()); !Problem)
    return V.failLaunch(Problem.takeError());
  // Where LLVM crashes, its dump says so.
  PrettyStackTraceFormat Now("compiling the variant '%s' of '%s'; --variant=TEXT tunes others",
                             V.Row.text().c_str(), W.Path.c_str());
  if (Error E = compileOrFail(V, Known))
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

void VariantBuilder::assembleBatch(ArrayRef<BuiltVariant *> Batch, const std::string &CubinPath,
                                   ArrayRef<size_t> Numbers) const {
  std::vector<BuiltVariant *> New;
  std::vector<AssemblyJob> Jobs;
  for (const auto &[Place, V] : enumerate(Batch))
    if (!takeAssembly(*V, sys::path::parent_path(CubinPath))) {
      New.push_back(V);
      // The same symbols as if all were assembled.
      Jobs.push_back({V->Ptx, V->Symbol, Numbers.empty() ? Place : Numbers[Place]});
    }
  std::vector<Expected<AssembledKernel>> Results;
  if (!Jobs.empty())
    Results = assemble(Tools, Device, Jobs, CubinPath);
  for (auto [V, Result] : zip_equal(New, Results)) {
    if (Result)
      V->Code = std::move(*Result);
    else
      V->fail(Result.takeError());
    keepAssembly(*V);
  }
  for (BuiltVariant *V : Batch)
    if (V->alive())
      describeCode(*V);
}

void VariantBuilder::takeAssembled(BuiltVariant &V, const Assembled &Known) const {
  if (!Known.Code)
    return V.fail(*Known.Failure);
  V.Code = Known.Code;
  describeCode(V);
}

void VariantBuilder::describeCode(BuiltVariant &V) const {
  V.CodeIdentity = identityOf(V.Ptx, assembler());
  fillMetrics(V);
}

void VariantBuilder::fillMetrics(BuiltVariant &V) const {
  const CubinKernel &Resources = V.Code->Resources;
  VariantResult &Row = V.Row;
  Row.MachineCode = V.Code->MachineCode;
  Row.Registers = Resources.Registers;
  Row.SharedBytes = Resources.StaticShared;
  Row.LocalBytes = Resources.LocalBytes;
  Row.SpillStoreBytes = V.Code->SpillStoreBytes;
  Row.SpillLoadBytes = V.Code->SpillLoadBytes;
  KernelResources Needs;
  Needs.Registers = Resources.Registers;
  Needs.StaticShared = Resources.StaticShared;
  Needs.DynamicShared = Row.Launch.SharedBytes;
  Needs.ThreadsPerBlock = Row.Launch.Block.X * Row.Launch.Block.Y * Row.Launch.Block.Z;
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
  double Blocks = double(Row.Launch.Grid.X) * Row.Launch.Grid.Y * Row.Launch.Grid.Z;
  Row.Efficiency =
      efficiency(*Row.Instr, Blocks * Needs.ThreadsPerBlock) * loadBalance(Blocks, Device.SMCount);
  Row.Utilization = utilization(*Row.Instr, *Row.Regions, Fits.WarpsPerBlock,
                                residentBlocks(Blocks, Device.SMCount, Fits.BlocksPerSM));
}

} // namespace gpuprune
