//===- BlockCounts.cpp - Executions of basic blocks, counted by running ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/HostExecution/BlockCounts.h"
#include "BlockSample.h"
#include "ControlSkeleton.h"
#include "ThreadTable.h"
#include "WarpSample.h"
#include "gpuprune/HostExecution/WarpRequests.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SHA256.h"
#include <map>
#include <numeric>

using namespace llvm;
using namespace gpuprune;

/// A run may cost so many times what was asked for before it is not made at all.
static constexpr double MostTimesInstructions = 64;
/// What threads drawn one by one may cost where no data is to be filled, and what each of them stands for at
/// least: there are no more of them than the instructions asked for over this.
static constexpr double TimesForThreads = 4;
static constexpr uint64_t InstructionsOfThread = 512;
/// Threads that are drawn together where they read data.
static constexpr uint64_t Neighbours = 32;
/// Threads that joined blocks have together at most, whatever the shape of one.
static constexpr int64_t JoinedThreads = 1024;
/// What filling a byte of data costs, in instructions.
static constexpr double CostOfByte = 2;
/// Warps whose threads are compared, at most.
static constexpr uint64_t MostWarps = 512;

namespace {

/// Executions by counter, on average over the threads.
struct Averages {
  std::vector<double> Counters;
  bool Complete = false;
  double Threads = 0;                 ///< That were run,
  uint64_t FilledBytes = 0;           ///< for that.
  std::optional<ComparedWarps> Warps; ///< Where they were.
};

/// Basic blocks that warps execute.
class WorkOfWarps {
public:
  void add(uint64_t Number, double Work) {
    All.add(Work);
    OfNumber[Number].add(Work);
  }
  /// Squared coefficient of variation among those with the same number in their blocks: what one warp does
  /// for all of its block makes no block longer than another. As analyses of variance have it, the mean
  /// square within groups over the square of the mean.
  double variation() const {
    double Within = 0;
    for (const auto &[Number, Some] : OfNumber)
      Within += Some.squaresAroundMean();
    size_t Free = All.Number - OfNumber.size();
    return Free ? Within / double(Free) / (All.mean() * All.mean()) : 0;
  }

private:
  struct Some {
    size_t Number = 0;
    double Sum = 0, Squares = 0;
    void add(double Work) {
      ++Number;
      Sum += Work;
      Squares += Work * Work;
    }
    double mean() const { return Sum / double(Number); }
    double squaresAroundMean() const { return std::max(0.0, Squares - Sum * mean()); }
  };
  Some All;
  std::map<uint64_t, Some> OfNumber;
};

/// How threads of a launch are picked.
struct Selection {
  std::array<bool, 3> BlocksMatter{true, true, true};
  /// Threads are picked one by one, by a table, out of a block of this extent.
  std::optional<Dim3> FromTable;
  /// So many blocks in each dimension are drawn as if they were one.
  Dim3 Joined{1, 1, 1};

  /// So many neighbours are drawn together.
  uint64_t Together = 1;

  uint64_t rowThreads() const { return FromTable ? uint64_t(FromTable->volume()) : 1; }
  uint64_t slots() const { return rowThreads() * uint64_t(Joined.volume()); }
  Dim3 grid(const Dim3 &Launched) const {
    return {Launched.X / Joined.X, Launched.Y / Joined.Y, Launched.Z / Joined.Z};
  }
};

} // namespace

namespace gpuprune {

struct CountCache::Entry {
  std::mutex Lock;
  std::optional<Averages> Counted;
  std::optional<TakenError> Problem;
};

CountCache::CountCache() = default;
CountCache::~CountCache() = default;

std::shared_ptr<CountCache::Entry> CountCache::entry(const std::string &Key) {
  std::lock_guard<std::mutex> Guard(Lock);
  std::shared_ptr<Entry> &Known = Entries[Key];
  if (!Known)
    Known = std::make_shared<Entry>();
  return Known;
}

/// A copy of a kernel with counters, on its way to averages.
class CountingRun {
public:
  CountingRun(CountingKernel &Code, const CountingRequest &Request, HostLaunch Launch, ControlNeeds Needs)
      : Code(Code), Request(Request), Launch(std::move(Launch)), Needs(Needs) {}
  /// From the cache where it is known.
  Expected<Averages> averages();

private:
  CountingKernel &Code;
  const CountingRequest &Request;
  HostLaunch Launch;
  ControlNeeds Needs;
  Selection Selected;
  std::unique_ptr<HostProgram> Program;
  uint64_t RoundsOfBlock = 0; ///< That the loops of one may go.

  std::string key() const;
  double budgetOfThreads() const {
    return (Needs == ControlNeeds::Launch ? TimesForThreads : 1) * double(Request.Instructions);
  }
  Error compile();
  Expected<Averages> count();
  Expected<Averages> countThreads();
  Error compareLanes(Averages &Counted);
  uint64_t warpsToCompare(const Averages &Counted) const;
  Expected<Averages> run(const BlockSample &Sample);
  Error runStratum(const BlockStratum &Stratum, HostLaunch Now);
  BlockSample sample(double BlockCost);
};

} // namespace gpuprune

std::string CountingRun::key() const {
  auto Extent = [](const Dim3 &D) { return formatv("{0},{1},{2};", D.X, D.Y, D.Z).str(); };
  std::string Text = Extent(Launch.Grid) + Extent(Launch.Block) + utostr(Launch.SharedBytes) + ";";
  for (const std::vector<char> &Argument : Launch.Arguments)
    Text += toHex(StringRef(Argument.data(), Argument.size())) + ";";
  if (Needs != ControlNeeds::Launch)
    Text += Request.DataKey;
  Text += ";" + Code.identity();
  return toHex(SHA256::hash(arrayRefFromStringRef(Text)));
}

Expected<Averages> CountingRun::averages() {
  if (!Request.Cache)
    return count();
  std::shared_ptr<CountCache::Entry> Known = Request.Cache->entry(key());
  std::lock_guard<std::mutex> Guard(Known->Lock);
  if (!Known->Counted && !Known->Problem) {
    if (Expected<Averages> Counted = count())
      Known->Counted = std::move(*Counted);
    else
      Known->Problem = gpuprune::takeError(Counted.takeError());
  }
  if (Known->Problem)
    return makeError(Known->Problem->Kind, Known->Problem->Text);
  return *Known->Counted;
}

Error CountingRun::compile() {
  std::array<bool, 3> ThreadsMatter{true, true, true};
  if (Needs != ControlNeeds::All) {
    Selected.BlocksMatter = Code.readsBlockIndex(); // The compile leaves no special registers to be seen.
    ThreadsMatter = Code.readsThreadIndex();
  }
  if (threadsAreIndependent(Code.kernel())) {
    Selected.FromTable.emplace();
    for (unsigned D = 0; D < Dim3::size(); ++D)
      (*Selected.FromTable)[D] = ThreadsMatter[D] ? Launch.Block[D] : 1;
    // Neighbours find their data in the same pages.
    if (Needs != ControlNeeds::Launch && Selected.rowThreads() % Neighbours == 0)
      Selected.Together = Neighbours;
  }
  Code.addCost();
  if (Selected.FromTable)
    readThreadTable(Code.kernel(), Launch.Grid, Launch.Block, Selected.rowThreads());
  HostOptions Options;
  Options.Kernels = {Launch.Kernel};
  Options.CountSteps = true;
  return HostProgram::create(Code.module(), Options).moveInto(Program);
}

/// Where the threads of \p Stratum are, slot by slot.
static std::vector<ThreadPlace> placesOf(const BlockStratum &Stratum, const Dim3 &Launched,
                                         const Selection &Selected) {
  std::vector<ThreadPlace> Places;
  Places.reserve(Stratum.Blocks.size());
  Dim3 Grid = Selected.grid(Launched), Extent = *Selected.FromTable, Drawn;
  for (unsigned D = 0; D < Dim3::size(); ++D)
    Drawn[D] = Extent[D] * Selected.Joined[D];
  for (auto [Slot, Linear] : enumerate(Stratum.Blocks)) {
    Dim3 Block = blockAt(Grid, Linear), Thread = blockAt(Drawn, Slot % Selected.slots());
    ThreadPlace &Place = Places.emplace_back();
    for (unsigned D = 0; D < Dim3::size(); ++D) {
      Place[D] = int32_t(Block[D] * Selected.Joined[D] + Thread[D] / Extent[D]);
      Place[Dim3::size() + D] = int32_t(Thread[D] % Extent[D]);
    }
  }
  return Places;
}

/// How many blocks to join, so that variants whose blocks have another shape draw the same
/// threads: a thousand threads, alike in shape.
static Dim3 blocksToJoin(const Dim3 &Grid, const Dim3 &Block, const Selection &Selected) {
  static constexpr int64_t Side[][Dim3::size()] = {
      {1, 1, 1}, {JoinedThreads, JoinedThreads, JoinedThreads}, {32, 32, 32}, {16, 8, 8}};
  unsigned Dimensions = 0;
  for (unsigned D = 0; D < Dim3::size(); ++D)
    Dimensions += Grid[D] * Block[D] > 1;
  Dim3 Joined, Extent = *Selected.FromTable;
  double Threads = 1;
  for (unsigned D = 0; D < Dim3::size(); ++D) {
    int64_t Wanted = Side[Dimensions][D];
    if (Selected.BlocksMatter[D] && Extent[D] == Block[D] && Wanted % Block[D] == 0 &&
        Grid[D] % (Wanted / Block[D]) == 0)
      Joined[D] = Wanted / Block[D];
    Threads *= double(Extent[D] * Joined[D]);
  }
  return Threads <= JoinedThreads ? Joined : Dim3();
}

static Error asError(const HostFault &Fault) {
  return makeError(Fault.Kind == FaultKind::StepLimit ? ErrorKind::Resources : ErrorKind::Runner,
                   Fault.Message);
}

Error CountingRun::runStratum(const BlockStratum &Stratum, HostLaunch Now) {
  std::vector<ThreadPlace> Places;
  if (Selected.FromTable) {
    Places = placesOf(Stratum, Launch.Grid, Selected);
    Program->variable(ThreadTableVariable)->as<uint64_t>()[0] = reinterpret_cast<uint64_t>(Places.data());
    Now.Block = {int64_t(Selected.rowThreads()), 1, 1};
    Now.Grid = {int64_t(Places.size() / Selected.rowThreads()), 1, 1};
  } else {
    Now.BlockSubset = Stratum.Blocks;
  }
  Now.StepLimit = RoundsOfBlock;
  Expected<LaunchReport> Report = Program->launch(Now);
  if (!Report)
    return Report.takeError();
  if (!Report->Fault)
    return Error::success();
  if (Now.Memory && Now.Memory->isLazilyFull())
    return makeError(ErrorKind::Resources,
                     formatv("'{0}' reads more than the {1} MiB of its data that are filled", Launch.Kernel,
                             GuardedMemory::MostLazyBytes >> 20));
  return asError(*Report->Fault);
}

Expected<Averages> CountingRun::run(const BlockSample &Sample) {
  HostLaunch Now = Launch;
  if (Needs != ControlNeeds::Launch)
    if (Error E = Request.ProvideData(*Program, Now))
      return std::move(E);
  Averages Result;
  Result.Complete = Sample.Complete;
  MutableArrayRef<uint64_t> Counts = Program->variable(CountingKernel::Variable)->as<uint64_t>();
  Result.Counters.assign(Counts.size(), 0);
  double Threads = Selected.FromTable ? 1 : Launch.Block.volume(), Weights = 0;
  for (const BlockStratum &Stratum : Sample.Strata)
    Weights += Stratum.Weight;
  for (const BlockStratum &Stratum : Sample.Strata) {
    llvm::fill(Counts, 0);
    if (Error E = runStratum(Stratum, Now))
      return std::move(E);
    double Run = double(Stratum.Blocks.size()) * Threads, Scale = Stratum.Weight / Weights / Run;
    Result.Threads += Run;
    for (auto [Average, Count] : zip_equal(Result.Counters, Counts))
      Average += Scale * double(Count);
  }
  if (Now.Memory)
    Result.FilledBytes = Now.Memory->lazilyFilled();
  return Result;
}

/// Whole blocks cost what they cost. Threads that are drawn one by one may cost more, for they
/// are where threads differ; but they need not be more than are enough.
BlockSample CountingRun::sample(double BlockCost) {
  double Most = double(Request.Instructions) / BlockCost;
  if (Selected.FromTable) {
    double Budget = budgetOfThreads();
    double ThreadCost = BlockCost / double(Selected.rowThreads());
    Selected.Joined = blocksToJoin(Launch.Grid, Launch.Block, Selected);
    if (ThreadCost * double(Selected.slots() * strataOf(Selected.grid(Launch.Grid), Selected.BlocksMatter)) >
        Budget)
      Selected.Joined = Dim3();
    Most = std::min(Budget / ThreadCost, double(Request.Instructions) / double(InstructionsOfThread)) /
           double(Selected.slots());
  }
  return sampleBlocks(Selected.grid(Launch.Grid), Selected.BlocksMatter, uint64_t(Most), Selected.slots(),
                      Selected.Together);
}

/// For what counting the threads may cost. Variants whose costs differ a little get the same ones.
uint64_t CountingRun::warpsToCompare(const Averages &Counted) const {
  double OfThread = 1 + Counted.Counters.back() + CostOfByte * double(Counted.FilledBytes) / Counted.Threads;
  auto Affordable = uint64_t(budgetOfThreads() / OfThread / LanesOfWarp);
  return std::clamp<uint64_t>(bit_floor(Affordable), 1, MostWarps);
}

/// A warp executes a block as often as one of its threads at least; no more than that is assumed. Divergence
/// is that of branches, as MemoryProfile has it of what is traced: the model compares variants of which one
/// is counted with others that are traced.
Error CountingRun::compareLanes(Averages &Counted) {
  HostLaunch Now = Launch;
  if (Needs != ControlNeeds::Launch)
    if (Error E = Request.ProvideData(*Program, Now))
      return E;
  MutableArrayRef<uint64_t> Counts = Program->variable(CountingKernel::Variable)->as<uint64_t>();
  MutableArrayRef<uint64_t> Most = Program->variable(CountingKernel::MostVariable)->as<uint64_t>();
  Now.Grid = {1, 1, 1};
  Now.StepLimit = RoundsOfBlock;
  std::vector<SampledWarp> Warps = sampledWarps(Launch.Grid, Launch.Block, warpsToCompare(Counted));
  WorkOfWarps Work;
  double Lanes = 0, OfLanes = 0, OfWarps = 0;
  for (const auto &[Places, Number] : Warps) {
    Program->variable(ThreadTableVariable)->as<uint64_t>()[0] = reinterpret_cast<uint64_t>(Places.data());
    Now.Block = {int64_t(Places.size()), 1, 1};
    llvm::fill(Counts, 0);
    llvm::fill(Most, 0);
    Expected<LaunchReport> Report = Program->launch(Now);
    if (!Report)
      return Report.takeError();
    if (Report->Fault) // Too long, or too much data. Those before it would be the cheap ones.
      return Error::success();
    Lanes += double(Places.size());
    for (unsigned Branch : Code.branches()) {
      OfLanes += double(Counts[Branch]);
      OfWarps += double(Most[Branch]);
    }
    Work.add(Number, double(std::accumulate(Most.begin(), Most.begin() + Code.blocks(), uint64_t(0))));
  }
  double Divergence = OfLanes > 0 ? OfWarps / double(Warps.size()) / (OfLanes / Lanes) : 1;
  Counted.Warps = {Divergence, Work.variation()};
  return Error::success();
}

Expected<Averages> CountingRun::count() {
  Expected<Averages> Counted = countThreads();
  if (Counted && Selected.FromTable && Selected.rowThreads() > 1)
    if (Error E = compareLanes(*Counted))
      return std::move(E);
  return Counted;
}

Expected<Averages> CountingRun::countThreads() {
  if (Needs != ControlNeeds::Launch && !Request.ProvideData)
    return makeError(ErrorKind::Refused, "the control flow of '" + Launch.Kernel +
                                             "' depends on memory, whose contents are not known here");
  if (Error E = compile())
    return std::move(E);
  RoundsOfBlock = Request.Rounds;
  BlockSample Pilot = pilotBlock(Launch.Grid, Selected.BlocksMatter, Selected.slots(), Selected.Together);
  Expected<Averages> First = run(Pilot);
  if (!First || Pilot.Complete)
    return First;
  double BlockThreads = Selected.FromTable ? double(Selected.rowThreads()) : Launch.Block.volume();
  double BlockCost = 1 + First->Counters.back() * BlockThreads + CostOfByte * double(First->FilledBytes);
  BlockSample Sample = sample(BlockCost);
  double Blocks = 0;
  for (const BlockStratum &Stratum : Sample.Strata)
    Blocks += double(Stratum.Blocks.size()) / double(Selected.rowThreads());
  if (Blocks * BlockCost > MostTimesInstructions * double(Request.Instructions))
    return makeError(
        ErrorKind::Resources,
        formatv("a thread block of '{0}' takes about {1:F0} instructions on the CPU, too many for "
                "the {2} blocks that would have to be run",
                Launch.Kernel, BlockCost, Blocks));
  // All of them together; one that costs what the first did is not stopped.
  RoundsOfBlock = std::max(uint64_t(double(Request.Rounds) / Blocks), uint64_t(2 * BlockCost));
  return run(Sample);
}

static BlockFrequencies toFrequencies(const Function &Kernel, const Averages &Counted) {
  BlockFrequencies Result;
  Result.Source = Counted.Complete ? InstrSource::ExactRun : InstrSource::Sampled;
  Result.Warps = Counted.Warps;
  size_t Next = 0;
  for (const BasicBlock &Block : Kernel)
    Result.Blocks[&Block] = Counted.Counters[Next++];
  for (const BasicBlock &Block : Kernel) {
    const Instruction *End = Block.getTerminator();
    if (End->getNumSuccessors() == 1)
      Result.Edges[{&Block, End->getSuccessor(0)}] = Result.Blocks[&Block];
    for (unsigned S = 0; End->getNumSuccessors() > 1 && S < End->getNumSuccessors(); ++S)
      Result.Edges[{&Block, End->getSuccessor(S)}] += Counted.Counters[Next++];
  }
  return Result;
}

Expected<BlockFrequencies> gpuprune::countBlocks(const Function &Kernel, const CountingRequest &Request) {
  HostLaunch Launch = Request.Launch;
  Launch.Kernel = Kernel.getName().str();
  std::optional<CountingKernel> Code(std::in_place, Kernel);
  ControlNeeds Needs = Code->reduceToControl();
  if (Needs == ControlNeeds::All) {
    Code.emplace(Kernel);
    Code->addCounters();
  }
  Expected<Averages> Counted = CountingRun(*Code, Request, std::move(Launch), Needs).averages();
  if (!Counted)
    return Counted.takeError();
  return toFrequencies(Kernel, *Counted);
}
