//===- MakeRecord.cpp - Tuning records of what was tuned -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/MakeRecord.h"
#include "gpuprune/CodeGen/Assembler.h"
#include "gpuprune/CodeGen/DeviceDescription.h"
#include "gpuprune/Deploy/KernelArguments.h"
#include "gpuprune/Deploy/KernelDigest.h"
#include "gpuprune/Deploy/SeparableKernel.h"
#include "gpuprune/Driver/LaunchClasses.h"
#include "gpuprune/Driver/Tuner.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Transforms/KernelNames.h"
#include "gpuprune/Transforms/Kernels.h"
#include "gpuprune/Variant/ProvedBlock.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include <numeric>

using namespace llvm;

namespace gpuprune {

static Error cannotDeploy(const Twine &Why) { return makeRefusal(RefusalKind::BadLaunchContract, Why); }

/// The record's launch is the author's, whose defines the program has.
static Expected<ResolvedProblem> authorsProblem(const VariantBuilder &Builder, const Variant &V) {
  if (Builder.definesText(V) != Builder.definesText(Variant()))
    return cannotDeploy("the variant needs " + Builder.definesText(V) +
                        " in the build; a tuning record does not set defines");
  return Builder.tuneProblem(Variant());
}

static Expected<unsigned> registersIn(StringRef Cubin, const DeviceInfo &Device, StringRef Symbol) {
  auto Kernels = readCubin(Cubin, Device.SharedReserved);
  if (!Kernels)
    return Kernels.takeError();
  auto Found = Kernels->find(Symbol.str());
  if (Found == Kernels->end())
    return makeError(ErrorKind::Internal, "the cubin has no kernel '" + Symbol + "'");
  return Found->second.Registers;
}

/// Without kernel=, which a build gives it.
static std::string pipelineText(const Variant &V, const Dim3 &Block) {
  std::vector<PassElement> Pipeline = V.Pipeline;
  nameBlock(Pipeline, Block);
  for (PassElement &Pass : Pipeline)
    erase_if(Pass.Parameters, [](const PassParameter &P) { return P.Key == "kernel"; });
  return printPipeline(Pipeline);
}

/// A record is of one kernel; a pass that is for another would do nothing in it.
static Error checkKernelNamed(const Variant &V, StringRef Symbol) {
  for (const PassElement &Pass : V.Pipeline)
    if (std::optional<StringRef> Named = Pass.value("kernel"); Named && !isKernelNamed(Symbol, *Named))
      return makeError(ErrorKind::Usage, Pass.Name + ": kernel=" + *Named +
                                             " is not the workload's kernel, '" + kernelFullName(Symbol) +
                                             "'; leave it out");
  return Error::success();
}

/// Of a loop over the grid, by what the launch passes for its end; as in Dispatch.c.
static uint64_t iterationsOf(const GridBound &Bound, const ResolvedLaunch &Launch, const Dim3 &Block) {
  auto End = int64_t(Launch.Arguments[Bound.Argument].Bits);
  if (Bound.Bits < 64)
    End = Bound.Signed ? SignExtend64(uint64_t(End), Bound.Bits) : int64_t(uint32_t(End));
  return (Bound.Signed && End < 0 ? 0 : uint64_t(End)) / Bound.strideIn(Block);
}

/// Where a program would launch its author's kernel at the very launch that is tuned.
static Error checkHasWork(const TuningRecord &Record, const ResolvedLaunch &Launch,
                          const DeviceInfo &Device) {
  const LaunchContract &Contract = Record.Contract;
  uint64_t Blocks = uint64_t(Contract.GridBlocks * Contract.GridDivisor.X) * Device.SMCount;
  if (!Contract.GridEnd || Blocks <= uint64_t(Launch.Grid.X))
    return Error::success();
  if (iterationsOf(*Contract.GridEnd, Launch, Record.ownBlock()) >= LeastGridIterations * Blocks)
    return Error::success();
  return cannotDeploy(
      formatv("a program launches it only where each block has {0} iterations at least; at the "
              "launch that is tuned, {1} blocks in place of {2} have fewer",
              LeastGridIterations, Blocks, Launch.Grid.X));
}

Expected<TuningRecord> makeRecord(const RecordRequest &R) {
  if (Error E = checkKernelNamed(R.Parts, R.Code.Symbol))
    return std::move(E);
  Expected<ResolvedProblem> Problem = authorsProblem(R.Builder, R.Parts);
  if (!Problem)
    return Problem.takeError();
  const ResolvedLaunch &Launch = Problem->tuned();
  Expected<DeviceDescription> Known = describeDevice(R.Request.Bitcode, R.Request.Kernel);
  if (!Known)
    return Known.takeError();
  TuningRecord Record;
  Record.Kernel = stableSymbol(R.Code.Symbol);
  Record.Arch = R.Target.Device->Arch;
  Record.Contract = R.Code.Kernels.at(R.Code.Symbol).Contract;
  Record.Arguments = kernelArguments(Known->Parameters);
  Record.Conditions = {Launch.Block, blocksOf(Launch.Grid), std::nullopt};
  Expected<std::optional<BlockChange>> Change =
      provedBlock(R.Target.W, R.Builder, R.Parts, R.Request.Bitcode);
  if (!Change)
    return Change.takeError();
  if (*Change)
    Record.Block = (*Change)->To;
  if (Error E = checkHasWork(Record, Launch, *R.Target.Device))
    return std::move(E);
  Record.Variant = pipelineText(R.Parts, Record.ownBlock());
  Record.Tools = {LLVM_VERSION_STRING, GPUPRUNE_VERSION, R.Builder.assembler()};
  if (R.Facts) {
    Record.Times = R.Facts->Times;
    Record.Bitwise = R.Facts->Bitwise;
    Record.Difference = json::fixUTF8(R.Facts->Difference);
  }
  if (Error E = checkSeparable(R.Request.Bitcode, R.Code.Symbol))
    return cannotDeploy(toString(std::move(E)));
  if (Error E = kernelDigest(R.Request.Bitcode, R.Code.Symbol).moveInto(Record.Digest))
    return std::move(E);
  if (Error E = registersIn(R.Cubin, *R.Target.Device, R.Code.Symbol).moveInto(Record.Registers))
    return std::move(E);
  if (Error E = checkTuningRecord(Record))
    return std::move(E);
  return Record;
}

static Expected<TuningRecord> recordOf(const TuningTarget &Target, VariantBuilder &Builder, const Variant &V,
                                       RecordFacts Facts) {
  Expected<VariantRequest> Request = Builder.requestFor(BuiltVariant(V), VariantBuilder::Scope::File);
  if (!Request)
    return Request.takeError();
  Expected<VariantCode> Code = compileVariant(*Request);
  if (!Code)
    return Code.takeError();
  Expected<std::string> Cubin = assembleImage(Target.Tools, *Target.Device, Code->Ptx);
  if (!Cubin)
    return Cubin.takeError();
  return makeRecord({Target, Builder, V, *Request, *Code, *Cubin, std::move(Facts)});
}

namespace {

struct Candidate {
  size_t Row = 0;
  double VariantMs = 0, StockMs = 0;
};

} // namespace

/// What was measured and is faster than stock clang's code, the winner first and then by time.
static std::vector<Candidate> candidates(const TuneReport &Report) {
  std::vector<Candidate> All;
  for (const auto &[Row, V] : enumerate(Report.Variants)) {
    TimePair Times = Report.timesOf(Row);
    if (V.canRun() && V.mayWin() && V.OnGpu.isTimed() && Times.VariantMs && Times.StockMs &&
        paysOff(*Times.StockMs, *Times.VariantMs))
      All.push_back({Row, *Times.VariantMs, *Times.StockMs});
  }
  std::optional<size_t> Winner = Report.winner();
  sort(All, [&](const Candidate &A, const Candidate &B) {
    return std::tuple(A.Row != Winner, A.VariantMs, A.Row) < std::tuple(B.Row != Winner, B.VariantMs, B.Row);
  });
  return All;
}

/// Where a build is running, it sees the old record or the new one.
Expected<std::string> writeRecord(ArrayRef<TuningRecord> File, StringRef Folder) {
  if (Error E = checkTuningRecord(File))
    return std::move(E);
  if (std::error_code Failed = sys::fs::create_directories(Folder))
    return makeError(ErrorKind::Io, "cannot make the folder '" + Folder + "': " + Failed.message());
  SmallString<128> Path(Folder);
  sys::path::append(Path, File.front().fileName());
  std::string Text = printTuningRecord(File);
  if (Error E = writeFile(Path, Text))
    return std::move(E);
  return std::string(Path);
}

static RecordFacts factsOf(const TuneReport &Report, const Candidate &C) {
  const Measurement &Seen = Report.Variants[C.Row].OnGpu;
  return {{Report.Gpu, C.StockMs, C.VariantMs}, Seen.Outcome == CheckOutcome::Bitwise, Seen.Tolerance};
}

Dim3 gridMultiples(const TuningRecord &R) {
  Dim3 Multiples;
  for (unsigned D = 0; D != Dim3::size(); ++D) {
    int64_t OwnBlocks = R.Contract.takesAnyGrid(D) ? 1 : R.Contract.GridDivisor[D];
    int64_t Threads = OwnBlocks * R.ownBlock()[D]; // Multiples of it the grid has.
    Multiples[D] = Threads / std::gcd(Threads, R.Conditions.Block[D]);
  }
  return Multiples;
}

bool takesGridsOf(const TuningRecord &First, const TuningRecord &Second) {
  Dim3 OfFirst = gridMultiples(First), OfSecond = gridMultiples(Second);
  for (unsigned D = 0; D != Dim3::size(); ++D)
    if (OfSecond[D] % OfFirst[D])
      return false;
  return true;
}

/// Whether a record of \p Row may take any grid of the author's block: it launches the author's grid or is
/// told of it.
static bool mayTakeAnyGrid(const TuneReport &Report, const VariantResult &Row) {
  return !Row.Parts.Block && (Row.Launch.Grid == Report.Stock.Launch.Grid || !Row.Launch.Hidden.empty());
}

namespace {

struct Deployable {
  TuningRecord Record;
  std::string Row;
};

} // namespace

using RecordMaker = function_ref<Expected<TuningRecord>(const Candidate &)>;

/// The first of \p Fastest of which \p Make makes a record; \p Why says, where it is empty, why one before it
/// is not that.
static std::optional<Deployable> firstDeployable(const TuneReport &Report, ArrayRef<Candidate> Fastest,
                                                 RecordMaker Make, std::string &Why) {
  for (const Candidate &C : Fastest) {
    std::string Text = printVariant(Report.Variants[C.Row].Parts);
    Expected<TuningRecord> Record = Make(C);
    if (Record)
      return Deployable{std::move(*Record), std::move(Text)};
    std::string Reason = toString(Record.takeError());
    if (Why.empty())
      Why = formatv("the fastest variant, '{0}' ({1:f2} times), cannot be deployed: {2}", Text,
                    C.StockMs / C.VariantMs, Reason);
  }
  return std::nullopt;
}

/// BestRecord's Otherwise.
static std::optional<Deployable> secondDeployable(const TuneReport &Report, ArrayRef<Candidate> Fastest,
                                                  const TuningRecord &First, RecordMaker Make) {
  static constexpr size_t MostOfAnyGrid = 4; // Each is compiled.
  std::vector<Candidate> OfAnyGrid, OfAuthorsBlock;
  for (const Candidate &C : Fastest) {
    const VariantResult &Row = Report.Variants[C.Row];
    if (OfAnyGrid.size() != MostOfAnyGrid && mayTakeAnyGrid(Report, Row))
      OfAnyGrid.push_back(C);
    if (!Row.Parts.Block)
      OfAuthorsBlock.push_back(C);
  }
  auto MakeOfAnyGrid = [&](const Candidate &C) -> Expected<TuningRecord> {
    Expected<TuningRecord> Record = Make(C);
    if (Record && gridMultiples(*Record) != Dim3())
      return cannotDeploy("it does not take any grid");
    return Record;
  };
  std::string WhyNot; // Nobody asks.
  std::optional<Deployable> Second;
  if (gridMultiples(First) != Dim3())
    Second = firstDeployable(Report, OfAnyGrid, MakeOfAnyGrid, WhyNot);
  if (!Second && First.Block)
    Second = firstDeployable(Report, OfAuthorsBlock, Make, WhyNot);
  return Second;
}

Expected<BestRecord> bestRecord(const TuneOptions &Options, const TuneReport &Report) {
  std::vector<Candidate> Fastest = candidates(Report);
  if (Fastest.empty())
    return BestRecord{std::nullopt, "",
                      Report.winner() ? "nothing is faster than the source as written by 2 %"
                                      : "nothing was measured"};
  Expected<TuningTarget> Target = loadTarget(Options.Workload, Options.Device, Options.Launch);
  if (!Target)
    return Target.takeError();
  VariantBuilder Builder(*Target);
  if (Error E = Builder.runFrontends(BuiltVariant(Variant()), 1))
    return std::move(E);
  auto Make = [&](const Candidate &C) {
    const Variant &V = Report.Variants[C.Row].Parts;
    return Builder.definesText(V) == Builder.definesText(Variant())
               ? recordOf(*Target, Builder, V, factsOf(Report, C))
               : authorsProblem(Builder, V).takeError();
  };
  BestRecord Best;
  std::optional<Deployable> First = firstDeployable(Report, Fastest, Make, Best.Why);
  if (!First)
    return Best;
  Best.Record = std::move(First->Record);
  Best.Row = std::move(First->Row);
  std::optional<Deployable> Second = secondDeployable(Report, Fastest, *Best.Record, Make);
  if (Second) {
    Best.Otherwise = std::move(Second->Record);
    Best.OtherwiseRow = std::move(Second->Row);
  }
  return Best;
}

} // namespace gpuprune
