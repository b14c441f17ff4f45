//===- ExplainReport.cpp - What a kernel does with memory, line by line --===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/ExplainReport.h"
#include "gpuprune/Check/EarlierLaunches.h"
#include "gpuprune/Check/HostRuns.h"
#include "gpuprune/Driver/MeasurePlan.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Support/RegularFile.h"
#include "gpuprune/Variant/HostProblem.h"
#include "gpuprune/Variant/LaunchCheck.h"
#include "gpuprune/Variant/VariantTime.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <map>
#include <tuple>

using namespace llvm;

namespace gpuprune {

/// Of a larger launch some blocks are run.
static constexpr uint64_t MostThreads = uint64_t(1) << 18;
static constexpr double MostSeconds = 60;
/// What out buffers hold before the launch.
static constexpr uint8_t OutPattern = 0xA5;

/// "n=64,m=32" with every size of the workload.
static Expected<Environment> parseSize(StringRef Text, const Workload &W) {
  SmallVector<StringRef, 4> Known(W.SizeNames.begin(), W.SizeNames.end()), Parts;
  auto Wrong = [&](const Twine &Why) {
    return makeError(ErrorKind::Usage,
                     formatv("--size '{0}': {1}; expected a number for each of {2}, such as {3}", Text,
                             Why.str(), join(Known, ", "), sizeName(W, W.TuneSize)));
  };
  Environment Sizes;
  Text.split(Parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    auto [Name, Value] = Part.split('=');
    int64_t Number = 0;
    if (!is_contained(Known, Name.trim()))
      return Wrong(
          formatv("the workload has no size '{0}'{1}", Name.trim(), nearestNameHint(Name.trim(), Known)));
    if (Value.trim().getAsInteger(10, Number))
      return Wrong(formatv("'{0}' is no number", Value));
    if (!Sizes.try_emplace(Name.trim(), Number).second)
      return Wrong(formatv("'{0}' twice", Name.trim()));
  }
  for (StringRef Name : Known)
    if (!Sizes.contains(Name))
      return Wrong(formatv("'{0}' is missing", Name));
  return Sizes;
}

/// The first check size, or else the size to tune, whose grid the launch contract of
/// \p Built divides; the first of all where it divides none.
static Expected<Environment> chosenSize(const ExplainOptions &Options, const Workload &W,
                                        const BuiltVariant &Built, const DefineValues &Defines) {
  if (!Options.Size.empty())
    return parseSize(Options.Size, W);
  std::vector<Environment> Sizes = W.CheckSizes;
  Sizes.push_back(W.TuneSize);
  for (const Environment &Size : Sizes) {
    Expected<ResolvedProblem> Shape = resolve(W, Size, Defines, Built.parts().Block);
    if (!Shape)
      return Shape.takeError();
    const ResolvedLaunch &Author = Shape->tuned();
    Error Refused = joinErrors(Built.Kernel.checkLaunch(authorLaunch(Author)),
                               checkBufferArguments(Built.Kernel.Contract, *Shape));
    if (!Refused)
      return Size;
    consumeError(std::move(Refused)); // Said of the first size by who launches it.
  }
  return Sizes.front();
}

/// Runs \p Launch and tells what is wrong with the kernel as an error.
static Error runWatched(const HostProgram &Program, HostLaunch &Launch, WarpRequests &Requests) {
  Launch.Trace = [&](const MemoryAccess &Access) { Requests.add(Access); };
  Launch.TimeLimit = MostSeconds;
  Expected<LaunchReport> Ran = Program.launch(Launch);
  if (!Ran)
    return Ran.takeError();
  Requests.finish();
  if (!Ran->Fault)
    return Error::success();
  if (Ran->Fault->Kind == FaultKind::TimeLimit)
    return makeError(ErrorKind::Resources,
                     formatv("the kernel did not come to its end on the CPU within {0} s; --size chooses a "
                             "smaller problem",
                             MostSeconds));
  return makeError(ErrorKind::Input, Ran->Fault->Message);
}

static MemoryKind memoryOf(AccessSpace Space, const AccessSite &Site) {
  constexpr unsigned ConstantSpace = 4; // Of NVPTX.
  switch (Space) {
  case AccessSpace::Shared:
    return MemoryKind::Shared;
  case AccessSpace::Local:
    return MemoryKind::Local;
  case AccessSpace::Global:
    return Site.AddressSpace == ConstantSpace ? MemoryKind::Constant : MemoryKind::Global;
  }
  llvm_unreachable("every space is covered");
}

namespace {
/// The lines of source files, each read once.
class SourceLines {
public:
  /// \p Source is the workload's; debug information may name it without its folder.
  explicit SourceLines(StringRef Source) : Source(Source) {}

  std::string line(StringRef File, unsigned Number) {
    auto [At, New] = Files.try_emplace(File);
    if (New)
      At->second = textOf(sys::path::filename(File) == sys::path::filename(Source) ? Source : File.str());
    SmallVector<StringRef> Lines;
    StringRef(At->second).split(Lines, '\n');
    return Number > 0 && Number <= Lines.size() ? Lines[Number - 1].trim().str() : "";
  }

private:
  std::string Source;
  StringMap<std::string> Files;

  static std::string textOf(const std::string &File) {
    Expected<std::string> Text = readRegularFile(File);
    if (Text)
      return std::move(*Text);
    consumeError(Text.takeError()); // The lines are shown without it: a bundle comes from elsewhere.
    return "";
  }
};
} // namespace

static std::string bufferAt(uint64_t Address, MemoryKind Kind, const GuardedMemory &Memory) {
  if (Kind == MemoryKind::Shared || Kind == MemoryKind::Local)
    return "";
  std::optional<BufferPlace> Place = Memory.find(Address);
  return Place ? Place->Buffer : "";
}

static std::vector<LineAccesses> linesOf(const WarpRequests &Requests, ArrayRef<AccessSite> Sites,
                                         const GuardedMemory &Buffers, StringRef Source) {
  std::map<std::tuple<std::string, unsigned, MemoryKind, AccessKind, std::string, unsigned>, LineAccesses>
      ByLine;
  SourceLines Sources(Source);
  for (const auto &[Key, Totals] : Requests.totals()) {
    const AccessSite &Site = Sites[Key.first];
    if (Site.Kind == AccessKind::Branch)
      continue;
    MemoryKind Memory = memoryOf(Key.second, Site);
    std::string Buffer = bufferAt(Totals.Address, Memory, Buffers);
    LineAccesses &Line = ByLine[{Site.File, Site.Line, Memory, Site.Kind, Buffer, Totals.Width}];
    if (!Line.Instructions++)
      Line = {Site.File, Site.Line, Sources.line(Site.File, Site.Line), Memory, Site.Kind, Buffer, 1, {}};
    Line.Totals += Totals;
  }
  std::vector<LineAccesses> Lines;
  for (auto &[Key, Line] : ByLine)
    Lines.push_back(std::move(Line));
  return Lines;
}

static std::vector<LineBranches> branchesOf(const WarpRequests &Requests, ArrayRef<AccessSite> Sites,
                                            StringRef Source) {
  std::map<std::pair<std::string, unsigned>, LineBranches> ByLine;
  SourceLines Sources(Source);
  for (const auto &[Key, Totals] : Requests.totals()) {
    const AccessSite &Site = Sites[Key.first];
    if (Site.Kind != AccessKind::Branch)
      continue;
    LineBranches &Line = ByLine[{Site.File, Site.Line}];
    Line = {Site.File, Site.Line, Sources.line(Site.File, Site.Line), Line.Executed + Totals.Requests,
            Line.Divergent + Totals.Divergent};
  }
  std::vector<LineBranches> Lines;
  for (auto &[Key, Line] : ByLine)
    Lines.push_back(std::move(Line));
  return Lines;
}

/// Compiled and assembled for the problem at \p Sizes.
static Expected<BuiltVariant> build(const ExplainOptions &Options, VariantBuilder &Builder,
                                    const std::string &CubinPath) {
  Expected<Variant> Parts = parseVariant(Options.Variant);
  if (!Parts)
    return Parts.takeError();
  BuiltVariant Built(std::move(*Parts));
  if (Error E = Builder.runFrontends(Built, 1))
    return std::move(E);
  Options.ShowWarnings(Builder.takeWarnings());
  Builder.keepFinalBitcode(true);
  Builder.compile(Built);
  BuiltVariant *Batch = &Built;
  if (Built.alive())
    Builder.assembleBatch(Batch, CubinPath);
  if (!Built.alive() && !Built.Code)
    return makeError(Built.FailedAs.value_or(ErrorKind::Internal), Built.Row.Message);
  return Built;
}

static void describeOccupancy(ExplainReport &Report, const BuiltVariant &Built, const DeviceInfo &Device,
                              uint64_t DynamicShared) {
  const CubinKernel &Cubin = Built.Code->Resources;
  Report.Resources.Registers = Cubin.Registers;
  Report.Resources.StaticShared = Cubin.StaticShared;
  Report.Resources.DynamicShared = DynamicShared;
  Report.Resources.ThreadsPerBlock = uint64_t(Report.Block.X) * Report.Block.Y * Report.Block.Z;
  Report.Resources.Barriers = Cubin.Barriers;
  Report.LocalBytes = Cubin.LocalBytes;
  Report.SpillStoreBytes = Built.Code->SpillStoreBytes;
  Report.SpillLoadBytes = Built.Code->SpillLoadBytes;
  Report.Fits = computeOccupancy(Device, Report.Resources);
  Report.Steps = occupancySteps(Device, Report.Resources);
  Report.OtherBlocks = occupancyOfOtherBlocks(Device, Report.Resources);
}

/// Runs \p Built over \p Problem and fills in what its accesses cost.
static Error watch(ExplainReport &Report, const BuiltVariant &Built, const HostProblem &Problem,
                   const PhysicalLaunch &Shape) {
  HostOptions HostSide;
  HostSide.Kernels = {Built.Symbol};
  HostSide.WatchMemory = true;
  HostSide.WatchBranches = true;
  Expected<std::unique_ptr<HostProgram>> Program = HostProgram::create(Built.FinalBitcode, HostSide);
  if (!Program)
    return Program.takeError();
  // Aligned as the GPU aligns allocations: sectors depend on it.
  Expected<HostBuffers> Buffers = HostBuffers::create(Problem, **Program, OutPattern, GuardSide::Start);
  if (!Buffers)
    return Buffers.takeError();
  HostLaunch Launch = Buffers->launch(Problem.launch(), Shape);
  Launch.Kernel = Built.Symbol;
  uint64_t ThreadsPerBlock = uint64_t(Report.Block.X) * Report.Block.Y * Report.Block.Z;
  Launch.BlockSubset = someBlocks(Report.Grid, std::max<uint64_t>(1, MostThreads / ThreadsPerBlock));
  WarpRequests Requests(Report.Resources.ThreadsPerBlock);
  if (Error E = runWatched(**Program, Launch, Requests))
    return E;
  Report.BlocksRun = Launch.BlockSubset.empty() ? uint64_t(Report.Grid.X) * Report.Grid.Y * Report.Grid.Z
                                                : Launch.BlockSubset.size();
  Report.Lines = linesOf(Requests, (*Program)->sites(), Buffers->memory(), Report.Workload);
  Report.Branches = branchesOf(Requests, (*Program)->sites(), Report.Workload);
  return Error::success();
}

/// The author's block \p Block in each dimension that the launch follows.
static std::array<BlockExplanation, 3> explainBlocks(const Workload &W, VariantBuilder &Builder,
                                                     const Dim3 &Block) {
  std::vector<ShapesOfDefines> Shapes = Builder.blockShapes();
  std::array<BlockExplanation, 3> Result;
  for (unsigned D = 0; D < Dim3::size(); ++D) {
    BlockExplanation &Explained = Result[D];
    Explained.Of = blockDimension(W, Shapes, D);
    if (!Explained.Of.mayDiffer() || Explained.Of.Promised)
      continue;
    for (int64_t Extent : {Block[D] / 2, Block[D] * 2}) {
      Dim3 Other = Block;
      Other[D] = Extent;
      if (Extent < 1 || Explained.Why)
        continue;
      Explained.Why = whyNotBlock(W, Shapes, Other);
      Explained.Refused = Explained.Why ? std::optional(Other) : std::nullopt;
    }
  }
  return Result;
}

/// Says what bounds the launch that is tuned, which is not the one that is watched.
static void modelLaunch(ExplainReport &Report, const BuiltVariant &Built, const VariantBuilder &Builder,
                        const TuningTarget &Target) {
  Report.TimeSize = sizeName(Target.W, Target.W.TuneSize);
  Report.TimeGrid = Built.Row.Launch.Grid;
  Expected<ModelledTime> Time =
      Built.alive() ? modelVariant(Built, Builder, Target)
                    : Expected<ModelledTime>(makeError(ErrorKind::Refused, Built.Row.Message));
  if (Time)
    Report.Time = std::move(*Time);
  else
    Report.NoTime = toString(Time.takeError());
}

Expected<ExplainReport> explain(const ExplainOptions &Options) {
  Expected<TuningTarget> Target = loadTarget(Options.Workload, Options.Device, Options.Launch);
  if (!Target)
    return Target.takeError();
  VariantBuilder Builder(*Target);
  Expected<TemporaryDirectory> Directory = TemporaryDirectory::create();
  if (!Directory)
    return Directory.takeError();
  Expected<BuiltVariant> Built = build(Options, Builder, Directory->file("explained.cubin"));
  if (!Built)
    return Built.takeError();
  DefineValues Defines = Builder.definesOf(Built->parts());
  Expected<Environment> Sizes = chosenSize(Options, Target->W, *Built, Defines);
  if (!Sizes)
    return Sizes.takeError();
  Expected<ResolvedProblem> Shape = resolve(Target->W, *Sizes, Defines, Built->parts().Block);
  if (!Shape)
    return Shape.takeError();
  ExplainReport Report;
  Report.Workload = Target->W.Source;
  Report.Kernel = Shape->tuned().Kernel;
  Report.Variant = Built->Row.text();
  Report.Device = Target->Device->Arch;
  Report.Size = sizeName(Target->W, *Sizes);
  const ResolvedLaunch &Author = Shape->tuned();
  Expected<PhysicalLaunch> Physical = Built->Kernel.launchFor(authorLaunch(Author), Target->Device->SMCount);
  if (!Physical)
    return Physical.takeError();
  if (Error E = checkBufferArguments(Built->Kernel.Contract, *Shape))
    return std::move(E);
  Report.Grid = Physical->Grid;
  Report.Block = Physical->Block;
  if (Error E = checkLaunchLimits(*Target->Device, Report.Grid, Report.Block))
    return std::move(E);
  if (Target->W.Work && Target->W.Work->Unit == "flop" && Shape->WorkAmount)
    Report.Flops = double(*Shape->WorkAmount);
  describeOccupancy(Report, *Built, *Target->Device, Physical->SharedBytes);
  Report.Blocks = explainBlocks(Target->W, Builder, cantFail(resolve(Target->W, *Sizes)).tuned().Block);
  Expected<std::unique_ptr<EarlierLaunches>> Earlier = EarlierLaunches::build(*Target, nullptr, "", 0);
  if (!Earlier)
    return Earlier.takeError();
  Expected<HostProblem> Problem = (*Earlier)->stateBefore(std::move(*Shape), Report.Size);
  if (!Problem)
    return Problem.takeError();
  if (Error E = watch(Report, *Built, *Problem, *Physical))
    return std::move(E);
  modelLaunch(Report, *Built, Builder, *Target);
  return Report;
}

RequestTotals ExplainReport::totals(MemoryKind Memory) const {
  RequestTotals Sum;
  for (const LineAccesses &Line : Lines)
    if (Line.Memory == Memory)
      Sum += Line.Totals;
  return Sum;
}

bool ExplainReport::complete() const { return BlocksRun == uint64_t(Grid.X) * Grid.Y * Grid.Z; }

} // namespace gpuprune
