//===- CpuCheck.cpp - The correctness gate on the CPU ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Check/CpuCheck.h"
#include "CpuCheckRuns.h"
#include "WrittenParts.h"
#include "gpuprune/Transforms/KernelBounds.h"
#include "gpuprune/Variant/LaunchCheck.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SHA256.h"

using namespace llvm;

namespace gpuprune {

/// Instructions of all threads of a launch, about, beyond which a size is too large
/// to be run on the CPU unless all sizes are asked for.
static constexpr double MostInstructions = 3e8;
/// The same of what is run with its accesses watched, which takes many times as long.
static constexpr double MostWatchedInstructions = 2e7;
/// Threads of a launch in which blocks without an iteration are looked for.
static constexpr int64_t IdleThreads = 1 << 16;
/// Seconds of wall-clock time. A variant that takes so many times the reference's and
/// this long is a run-away; the machine may be loaded.
static constexpr double WatchedTimeLimit = 60, VariantTimeLimit = 60, MostTimesReference = 50;

/// All variants that are the same on the CPU.
struct CpuCheck::SameCode {
  std::mutex Lock;
  VariantResult Row;                   ///< Status, message and OnCpu of each.
  std::atomic<bool> ByMachine = false; ///< As that of ReferenceRun.
};

CpuCheck::CpuCheck(const Workload &W, const VariantBuilder &Builder, CheckStandards Standards)
    : W(W), Builder(Builder), Standards(std::move(Standards)) {}
CpuCheck::~CpuCheck() = default;

/// The code of \p V without what only ptxas looks at: variants that differ in their
/// register caps alone have the same.
static std::string codeForCpu(const BuiltVariant &V) {
  LLVMContext Context;
  Context.setDiscardValueNames(true);
  Expected<std::unique_ptr<Module>> M =
      parseBitcodeFile(MemoryBufferRef(V.FinalBitcode, "device bitcode"), Context);
  if (!M) {
    consumeError(M.takeError()); // Said when it is compiled.
    return V.FinalBitcode.str().str();
  }
  for (Function &F : **M)
    for (StringRef Attribute : PtxasBounds)
      F.removeFnAttr(Attribute);
  std::string Bitcode;
  raw_string_ostream OS(Bitcode);
  WriteBitcodeToFile(**M, OS);
  return Bitcode;
}

CpuCheck::Program::Program(StringRef Bitcode, const std::string &Symbol, bool IsStock, bool Watch) {
  Expected<std::unique_ptr<HostProgram>> Made = compileForCpu(Bitcode, Symbol, IsStock, Watch);
  if (Made)
    Code = std::move(*Made);
  else
    Refusal = toString(Made.takeError());
}

//===----------------------------------------------------------------------===//
// What others are compared with
//===----------------------------------------------------------------------===//

std::shared_ptr<CpuCheck::Program> CpuCheck::programOf(const BuiltVariant &Kernel, bool Watch) {
  std::string Key = (Watch ? "watched " : Kernel.Stock ? "stock " : "") + Kernel.Row.text();
  std::lock_guard<std::mutex> Guard(Lock);
  std::shared_ptr<Program> &Known = Programs[Key];
  if (!Known)
    Known = std::make_shared<Program>(Kernel.FinalBitcode, Kernel.Symbol, Kernel.Stock, Watch);
  return Known;
}

/// What \p Reference does wrong with memory in \p Problem, seen by its accesses; of a large launch, some
/// blocks are run.
std::optional<HostFault> CpuCheck::watch(const BuiltVariant &Reference, const HostProblem &Problem) {
  std::shared_ptr<Program> Watched = programOf(Reference, /*Watch=*/true);
  if (!Watched->Code)
    return std::nullopt;
  double InstructionsOfBlock = Reference.Row.Instr.value_or(1) * Problem.launch().Block.volume();
  std::lock_guard<std::mutex> Guard(Watched->Lock);
  return watchForFaults({Problem, *Watched->Code, Reference.Symbol, asWritten(authorLaunch(Problem.launch())),
                         limited(WatchedTimeLimit), /*Workers=*/0},
                        uint64_t(MostWatchedInstructions / std::max(InstructionsOfBlock, 1.0)));
}

Expected<HostProblem> CpuCheck::hostProblem(const Variant &Choice, const Environment &Size) const {
  Expected<ResolvedProblem> Shape = resolve(W, Size, definesIn(W, Choice), Choice.Block);
  if (!Shape)
    return Shape.takeError();
  return Standards.Earlier ? Standards.Earlier->stateBefore(std::move(*Shape), sizeName(W, Size))
                           : HostProblem::create(std::move(*Shape));
}

/// The run of \p Reference at the block of \p Choice and \p Size; the first call makes it.
std::shared_ptr<CpuCheck::ReferenceRun> CpuCheck::runOf(const BuiltVariant &Reference, const Variant &Choice,
                                                        const Environment &Size) {
  Variant Own; // The defines are the reference's.
  Own.Defines = Reference.parts().Defines;
  Own.Block = Choice.Block;
  Dim3 Block = Choice.Block.value_or(Dim3{0, 0, 0});
  std::string Key =
      formatv("{0};{1},{2},{3};{4}", Reference.Row.text(), Block.X, Block.Y, Block.Z, sizeName(W, Size));
  std::shared_ptr<ReferenceRun> Run;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    std::shared_ptr<ReferenceRun> &Known = Runs[Key];
    if (!Known)
      Known = std::make_shared<ReferenceRun>();
    Run = Known;
  }
  std::call_once(Run->Done, [&] {
    MachineWatch Watch(Run->ByMachine);
    std::shared_ptr<Program> P = programOf(Reference);
    Run->Note = P->Refusal;
    if (!P->Code)
      return;
    Expected<HostProblem> Problem = hostProblem(Own, Size);
    if (!Problem) {
      Run->Note = toString(Problem.takeError());
      return;
    }
    Run->Problem.emplace(std::move(*Problem));
    const BuiltVariant *Author = Standards.Author();
    Run->Open = bufferFreedom(Reference.Kernel.Freedom, (Author ? Author : &Reference)->Kernel.Freedom,
                              Run->Problem->shape());
    if (std::optional<HostFault> Fault = watch(Reference, *Run->Problem)) {
      Run->Status = VariantStatus::Fault;
      Run->Message = Fault->Message;
      return;
    }
    {
      std::lock_guard<std::mutex> Guard(P->Lock);
      // On all cores: variants wait for it. But the order of atomic sums is the same each time on one alone.
      unsigned Workers = Reference.Kernel.Freedom.addsAtomically() ? 1 : 0;
      runReference({*Run->Problem, *P->Code, Reference.Symbol,
                    asWritten(authorLaunch(Run->Problem->launch())), limited(ReferenceTimeLimit), Workers},
                   Run->Open, toleranceOf(W), *Run);
    }
    if (Run->hasOutputs())
      compareWithStandard(Reference, Own, Size, *Run);
  });
  passOnMachine(*Run);
  return Run;
}

static double bytesPerThread(const ResolvedProblem &Shape) {
  double Bytes = 0;
  for (const ResolvedBuffer &B : Shape.Buffers)
    Bytes += double(B.Bytes);
  return Bytes / Shape.tuned().threads();
}

/// Whether a scalar argument is larger than in the size to tune: it may be a number of iterations.
static bool hasLargerScalar(const ResolvedProblem &Shape, const ResolvedProblem &Tune) {
  return any_of(zip(Shape.tuned().Arguments, Tune.tuned().Arguments), [](const auto &Pair) {
    const auto &[At, Tuned] = Pair;
    return !At.Buffer && !At.Structure && At.Bits > Tuned.Bits;
  });
}

/// What threads of a launch at \p Shape execute together, about; \p ByData: a thread that strides over the
/// data is taken to do less where there are fewer.
static double instructionsAt(const ResolvedProblem &Shape, const ResolvedProblem &Tune,
                             const BuiltVariant &Reference, bool ByData) {
  double Each = Reference.Row.Instr.value_or(0);
  if (Shape.WorkAmount && Tune.WorkAmount && *Tune.WorkAmount > 0)
    return Each * Tune.tuned().threads() * double(*Shape.WorkAmount) / double(*Tune.WorkAmount);
  // A thread rarely does more at a smaller size.
  double OfData = 1;
  if (ByData && bytesPerThread(Tune) > 0 && !hasLargerScalar(Shape, Tune))
    OfData = std::min(bytesPerThread(Shape) / bytesPerThread(Tune), 1.0);
  return Each * Shape.tuned().threads() * OfData;
}

namespace {

struct RankedSize {
  Environment Size;
  double Most;   ///< Instructions of a launch, where each thread does as much as at the size to tune,
  double ByData; ///< and where one does less with fewer data.
};

} // namespace

/// Legal sizes, that with the least instructions at most first. What is not known to be less work keeps the
/// author's order: the first size is checked in any case.
using RankedSizes = std::vector<RankedSize>;

static RankedSizes rankedSizes(const Workload &W, const Variant &Choice, const VariantKernel &Kernel,
                               const BuiltVariant &Reference) {
  DefineValues Defines = definesIn(W, Choice);
  RankedSizes Legal;
  Expected<ResolvedProblem> Tune = resolve(W, W.TuneSize, Defines, Choice.Block, LaunchScope::Tuned);
  if (!Tune) {
    consumeError(Tune.takeError());
    return Legal;
  }
  for (const Environment &Size : W.CheckSizes) {
    // A size may not fit the defines and the block of the variant.
    Expected<ResolvedProblem> Shape = resolve(W, Size, Defines, Choice.Block, LaunchScope::Tuned);
    if (!Shape) {
      consumeError(Shape.takeError());
      continue;
    }
    if (Error Refused = Kernel.checkLaunch(authorLaunch(Shape->tuned())))
      consumeError(std::move(Refused));
    else if (Error TooLarge = checkBufferArguments(Kernel.Contract, *Shape))
      consumeError(std::move(TooLarge));
    else
      Legal.push_back({Size, instructionsAt(*Shape, *Tune, Reference, /*ByData=*/false),
                       instructionsAt(*Shape, *Tune, Reference, /*ByData=*/true)});
  }
  stable_sort(Legal, [](const RankedSize &A, const RankedSize &B) { return A.Most < B.Most; });
  return Legal;
}

std::vector<Environment> CpuCheck::sizesFor(const Variant &Parts, const VariantKernel &Kernel,
                                            const BuiltVariant &Reference, CheckDepth Depth) {
  const LaunchChoice &Choice = Builder.choiceOf(Parts);
  StringSet<> Telling;
  for (const LaunchChoice::Launch &L : Choice.Launches)
    if (L.Tells)
      Telling.insert(sizeName(W, L.Size));
  std::vector<Environment> Sizes;
  bool Told = Choice.IsAuthors;
  for (const auto &[Size, Most, ByData] : rankedSizes(W, Parts, Kernel, Reference)) {
    if (LeftOut.contains(sizeName(W, Size)))
      continue;
    bool Tells = Telling.contains(sizeName(W, Size)), FirstToTell = Tells && !Told;
    if (Sizes.empty() || FirstToTell || Depth == CheckDepth::All ||
        (Depth == CheckDepth::Usual && ByData <= MostInstructions)) {
      Sizes.push_back(Size);
      Told |= Tells;
    }
  }
  return Sizes;
}

std::vector<CpuOutputs> CpuCheck::outputsOf(const BuiltVariant &Reference, CheckDepth Depth) {
  std::vector<CpuOutputs> All;
  for (const Environment &Size : sizesFor(Reference.parts(), Reference.Kernel, Reference, Depth)) {
    if (!Begun.contains(sizeName(W, Size)) && LastBegin && std::chrono::steady_clock::now() >= *LastBegin)
      continue;
    std::shared_ptr<ReferenceRun> Run = runOf(Reference, Reference.parts(), Size);
    CpuOutputs &One = All.emplace_back();
    One.Size = sizeName(W, Size);
    One.Freedom = Reference.Kernel.Freedom;
    One.Failure = Run->Status == VariantStatus::Ok ? Run->Note : Run->Message;
    if (!One.Failure.empty())
      continue;
    for (const auto &[Index, Shape, Output] : enumerate(Run->Problem->buffers(), Run->Outputs))
      if (Shape.Role != BufferRole::In)
        One.Buffers.push_back({uint32_t(Index), Shape.Name, Output.Bytes});
  }
  return All;
}

//===----------------------------------------------------------------------===//
// Variants
//===----------------------------------------------------------------------===//

void CpuCheck::checkAnew(const BuiltVariant &V, const BuiltVariant &Reference, CheckDepth Depth,
                         VariantResult &Row, bool &ByMachine) {
  std::string Code = codeForCpu(V);
  std::string Key =
      formatv("{0};{1};{2};{3}", Reference.Row.text(), launchKey(V.Row.Launch),
              Builder.choiceOf(V.parts()).Text, toHex(SHA256::hash(arrayRefFromStringRef(Code))));
  std::shared_ptr<SameCode> Same;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    std::shared_ptr<SameCode> &Known = Checked[Key];
    if (!Known)
      Known = std::make_shared<SameCode>();
    Same = Known;
  }
  std::lock_guard<std::mutex> Guard(Same->Lock);
  {
    MachineWatch Watch(Same->ByMachine);
    checkCode(V, Code, Reference, Depth, Same->Row);
  }
  ByMachine = Same->ByMachine || !LeftOut.empty();
  Row.OnCpu = Same->Row.OnCpu;
  if (Same->Row.Status == VariantStatus::Ok)
    return;
  Row.Status = Same->Row.Status;
  Row.Message = Same->Row.Message;
}

void CpuCheck::checkCode(const BuiltVariant &V, StringRef Code, const BuiltVariant &Reference,
                         CheckDepth Depth, VariantResult &Row) {
  if (Row.Status != VariantStatus::Ok)
    return;
  // What a choice computes does not depend on the variant, nor on the sizes that one can be launched at.
  if (!Builder.choiceOf(V.parts()).IsAuthors)
    for (const Environment &Size :
         sizesFor(V.parts(), Reference.Kernel, Reference, std::max(Depth, CheckDepth::Usual)))
      if (!checkChoice(V, Reference, Size, Row))
        return;
  HostCheck &OnCpu = Row.OnCpu;
  std::vector<Environment> Sizes = sizesFor(V.parts(), V.Kernel, Reference, Depth);
  if (Sizes.empty())
    OnCpu.Note = LeftOut.empty() ? "no check size that the variant can be launched at"
                                 : "no check size that the budget left time for";
  erase_if(Sizes, [&](const Environment &Size) { return is_contained(OnCpu.Sizes, sizeName(W, Size)); });
  if (Sizes.empty())
    return;
  Program Candidate(Code, V.Symbol);
  OnCpu.Note = Candidate.Refusal;
  for (const Environment &Size : Sizes)
    if (!checkAtSize(V, Candidate, Reference, Size, Row))
      return;
}

/// Where a variant whose results are wrong reads what nothing has written, if it does so.
static std::string faultBehind(const HostRunRequest &Request) {
  std::optional<HostFault> Fault = watchForFaults(Request, UINT64_MAX);
  return Fault && Fault->Kind == FaultKind::Unwritten ? Fault->Message : "";
}

/// Takes up what was found at \p Size; whether to go on.
static bool settle(const RunVerdict &Found, const std::string &Size, VariantResult &Row) {
  HostCheck &OnCpu = Row.OnCpu;
  OnCpu.Outcome = std::max(OnCpu.Outcome, Found.Outcome);
  if (OnCpu.Tolerance.empty())
    OnCpu.Tolerance = Found.Tolerance;
  if (Found.Status == VariantStatus::Ok)
    return true;
  OnCpu.Sizes.push_back(Size);
  OnCpu.Tolerance.clear();
  Row.Status = Found.Status;
  Row.Message = formatv("on the CPU at {0}: {1}", Size, Found.Message);
  return false;
}

/// Whether a variant that does nothing would pass: what \p Run does was done before it.
bool CpuCheck::comparesNothing(const ReferenceRun &Run) const {
  return Standards.Earlier && !Standards.Earlier->empty() && changesNothing(Run);
}

static constexpr StringLiteral NothingCompared =
    "the author's launch leaves all buffers as the launches before it left them";

/// Link (b) of the block and the defines of \p V at \p Size; whether to go on.
bool CpuCheck::checkChoice(const BuiltVariant &V, const BuiltVariant &Reference, const Environment &Size,
                           VariantResult &Row) {
  std::shared_ptr<ReferenceRun> Wanted = runOf(Reference, V.parts(), Size);
  if (Wanted->Status != VariantStatus::Ok)
    return settle({CheckOutcome::Wrong, Wanted->Status,
                   formatv("with {0} the kernel fails without any pass: {1}",
                           Builder.choiceOf(V.parts()).Text, Wanted->Message),
                   ""},
                  sizeName(W, Size), Row);
  if (!Wanted->hasOutputs())
    return true;
  if (comparesNothing(*Wanted) && Wanted->Standard.Status == VariantStatus::Ok)
    return true;
  Row.OnCpu.Launch = std::max(Row.OnCpu.Launch, Wanted->Standard.Outcome);
  return settle(Wanted->Standard, sizeName(W, Size), Row);
}

/// A kernel that is right in any grid is launched in few blocks, in more than its author's, and in so many
/// that some have nothing to do where the size is small.
static std::vector<PhysicalLaunch> launchesOfFreeGrid(const VariantKernel &Kernel,
                                                      const AuthorLaunch &Author) {
  int64_t ForOne = Kernel.Contract.GridBlocks * Kernel.Contract.GridDivisor.X;
  int64_t More = std::min(Author.Grid.X, MostGridBlocks - ForOne) / ForOne + 1;
  std::vector<PhysicalLaunch> Launches = {cantFail(Kernel.launchFor(Author, 1)),
                                          cantFail(Kernel.launchFor(Author, More))};
  int64_t WithIdle = std::min<int64_t>(IdleThreads / int64_t(ForOne * Launches.front().Block.volume()),
                                       MostGridBlocks / ForOne);
  if (WithIdle > More)
    Launches.push_back(cantFail(Kernel.launchFor(Author, WithIdle)));
  return Launches;
}

/// How \p Kernel is launched here where its author launches \p Author. The blocks of a persistent one do
/// several of the author's, and then one each, whatever the device to tune for has: the result is to be the
/// same.
static std::vector<PhysicalLaunch> launchesToCheck(const VariantKernel &Kernel, const AuthorLaunch &Author) {
  if (Kernel.Contract.GridBlocks)
    return launchesOfFreeGrid(Kernel, Author);
  PhysicalLaunch Whole = cantFail(Kernel.launchFor(Author, MostNumberedBlocks / MostPersistentBlocks));
  if (!Kernel.Contract.PersistentBlocks)
    return {std::move(Whole)};
  PhysicalLaunch Fewer = cantFail(Kernel.launchFor(Author, 1));
  Fewer.Grid.X = std::min<int64_t>(Fewer.Grid.X, divideCeil(Whole.Grid.X, 2));
  return {std::move(Fewer), std::move(Whole)};
}

/// What \p V computes as \p Shape, compared with \p Wanted.
RunVerdict CpuCheck::judgeLaunch(const BuiltVariant &V, Program &Candidate, const BuiltVariant &Reference,
                                 ReferenceRun &Wanted, const PhysicalLaunch &Shape) {
  HostRunRequest Request{*Wanted.Problem,
                         *Candidate.Code,
                         V.Symbol,
                         Shape,
                         std::max(VariantTimeLimit, MostTimesReference * Wanted.Seconds),
                         /*Workers=*/1};
  RunVerdict Found = runAndCompare(Request, Wanted, Wanted.Open, toleranceOf(W));
  bool TellsMore = Found.Outcome == CheckOutcome::Tolerance && !Reference.Kernel.Freedom.BreaksTies;
  if (TellsMore && directedOf(Reference, Wanted).ended()) {
    HostRunRequest Directed{*Wanted.Coarse, *Candidate.Code, V.Symbol, Shape, directedLimit(Wanted.Seconds)};
    Found.add(compareDirected(Wanted.Problem->buffers(), runDirected(Directed), directedOf(Reference, Wanted),
                              Wanted.Open, &BufferFreedom::BetweenVariants));
  }
  if (Found.Status != VariantStatus::Wrong)
    return Found;
  Program Watched(V.FinalBitcode, V.Symbol, /*IsStock=*/false, /*Watch=*/true);
  if (!Watched.Code)
    return Found;
  HostRunRequest Again{*Wanted.Problem, *Watched.Code, V.Symbol, Shape, WatchedTimeLimit, 1};
  if (std::string Fault = faultBehind(Again); !Fault.empty()) {
    Found.Status = VariantStatus::Fault;
    Found.Message = std::move(Fault);
  }
  return Found;
}

/// Whether to go on with another size.
bool CpuCheck::checkAtSize(const BuiltVariant &V, Program &Candidate, const BuiltVariant &Reference,
                           const Environment &Size, VariantResult &Row) {
  if (!checkChoice(V, Reference, Size, Row))
    return false;
  HostCheck &OnCpu = Row.OnCpu;
  std::shared_ptr<ReferenceRun> Wanted = runOf(Reference, V.parts(), Size);
  if (!Wanted->hasOutputs()) {
    OnCpu.Note = "the prepared kernel: " + Wanted->Note;
    return true;
  }
  if (!Candidate.Code)
    return true;
  // sizesFor asked whether there is one.
  RunVerdict Found;
  for (const PhysicalLaunch &Shape : launchesToCheck(V.Kernel, authorLaunch(Wanted->Problem->launch()))) {
    RunVerdict Each = judgeLaunch(V, Candidate, Reference, *Wanted, Shape);
    if (Each.Outcome == CheckOutcome::Skipped) {
      OnCpu.Note = Each.Message;
      return true;
    }
    Found.add(Each);
  }
  if (Found.Status == VariantStatus::Ok && comparesNothing(*Wanted)) {
    if (OnCpu.Outcome == CheckOutcome::Skipped)
      OnCpu.Note = NothingCompared;
    return true;
  }
  if (!settle(Found, sizeName(W, Size), Row))
    return false;
  if (OnCpu.Note == NothingCompared)
    OnCpu.Note.clear();
  OnCpu.Sizes.push_back(sizeName(W, Size));
  return true;
}

} // namespace gpuprune
