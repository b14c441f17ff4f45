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
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SHA256.h"
#include <chrono>

using namespace llvm;
using namespace gpuprune;

using Clock = std::chrono::steady_clock;

/// A run may cost so many times what was asked for before it is not made at all.
static constexpr double MostTimesInstructions = 16;
/// What filling a byte of data costs, in instructions.
static constexpr double CostOfByte = 2;

namespace {

/// Executions by counter, on average over the threads.
struct Averages {
  std::vector<double> Counters;
  bool Complete = false;
  uint64_t FilledBytes = 0; ///< For that.
};

/// How threads of a launch are picked.
struct Selection {
  std::array<bool, 3> BlocksMatter{true, true, true};
  /// Threads are picked one by one, by a table, out of a block of this extent.
  std::optional<Dim3> FromTable;

  uint64_t slots() const { return FromTable ? uint64_t(FromTable->volume()) : 1; }
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
  Clock::time_point Deadline;

  std::string key() const;
  Error compile();
  Expected<Averages> count();
  Expected<Averages> run(const BlockSample &Sample);
  Error runStratum(const BlockStratum &Stratum, HostLaunch Now);
  BlockSample sample(double UnitCost) const;
};

} // namespace gpuprune

std::string CountingRun::key() const {
  auto Extent = [](const Dim3 &D) { return formatv("{0},{1},{2};", D.X, D.Y, D.Z).str(); };
  std::string Text = Extent(Launch.Grid) + Extent(Launch.Block) + utostr(Launch.DynamicShared) + ";";
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
  if (Needs != ControlNeeds::All) {
    Selected.BlocksMatter = Code.readsBlockIndex(); // The compile leaves no special registers to be seen.
    if (threadsAreIndependent(Code.kernel())) {
      std::array<bool, 3> ThreadsMatter = Code.readsThreadIndex();
      Selected.FromTable.emplace();
      for (unsigned D = 0; D < Dim3::size(); ++D)
        (*Selected.FromTable)[D] = ThreadsMatter[D] ? Launch.Block[D] : 1;
    }
  }
  Code.addCost();
  if (Selected.FromTable)
    readThreadTable(Code.kernel(), Launch.Grid, Launch.Block, Selected.slots());
  HostOptions Options;
  Options.Kernels = {Launch.Kernel};
  return HostProgram::create(Code.module(), Options).moveInto(Program);
}

/// Where the threads of \p Stratum are, slot by slot.
static std::vector<ThreadPlace> placesOf(const BlockStratum &Stratum, const Dim3 &Grid, const Dim3 &Extent) {
  std::vector<ThreadPlace> Places;
  Places.reserve(Stratum.Blocks.size());
  uint64_t Threads = uint64_t(Extent.volume());
  for (auto [Slot, Linear] : enumerate(Stratum.Blocks)) {
    Dim3 Block = blockAt(Grid, Linear), Thread = blockAt(Extent, Slot % Threads);
    Places.push_back({int32_t(Block.X), int32_t(Block.Y), int32_t(Block.Z), int32_t(Thread.X),
                      int32_t(Thread.Y), int32_t(Thread.Z)});
  }
  return Places;
}

static Error asError(const HostFault &Fault) {
  bool TooLong = Fault.Kind == FaultKind::TimeLimit || Fault.Kind == FaultKind::StepLimit;
  return makeError(TooLong ? ErrorKind::Resources : ErrorKind::Runner, Fault.Message);
}

Error CountingRun::runStratum(const BlockStratum &Stratum, HostLaunch Now) {
  std::vector<ThreadPlace> Places;
  if (Selected.FromTable) {
    Places = placesOf(Stratum, Launch.Grid, *Selected.FromTable);
    Program->variable(ThreadTableVariable)->as<uint64_t>()[0] = reinterpret_cast<uint64_t>(Places.data());
    Now.Block = {int64_t(Selected.slots()), 1, 1};
    Now.Grid = {int64_t(Places.size() / Selected.slots()), 1, 1};
  } else {
    Now.BlockSubset = Stratum.Blocks;
  }
  Now.TimeLimit = std::max(1e-3, std::chrono::duration<double>(Deadline - Clock::now()).count());
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
    double Scale = Stratum.Weight / Weights / (double(Stratum.Blocks.size()) * Threads);
    for (auto [Average, Count] : zip_equal(Result.Counters, Counts))
      Average += Scale * double(Count);
  }
  if (Now.Memory)
    Result.FilledBytes = Now.Memory->lazilyFilled();
  return Result;
}

BlockSample CountingRun::sample(double UnitCost) const {
  // Threads that differ need more of them, and differ less where they have no block in common.
  double Times = Selected.FromTable ? 2 : 1;
  return sampleBlocks(Launch.Grid, Selected.BlocksMatter,
                      uint64_t(Times * double(Request.Instructions) / UnitCost), Selected.slots());
}

Expected<Averages> CountingRun::count() {
  if (Needs != ControlNeeds::Launch && !Request.ProvideData)
    return makeError(ErrorKind::Refused, "the control flow of '" + Launch.Kernel +
                                             "' depends on memory, whose contents are not known here");
  if (Error E = compile())
    return std::move(E);
  Deadline = Clock::now() +
             std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(Request.TimeLimit));
  BlockSample Pilot = pilotBlock(Launch.Grid, Selected.BlocksMatter, Selected.slots());
  Expected<Averages> First = run(Pilot);
  if (!First || Pilot.Complete)
    return First;
  double UnitThreads = Selected.FromTable ? double(Selected.slots()) : Launch.Block.volume();
  double UnitCost = 1 + First->Counters.back() * UnitThreads + CostOfByte * double(First->FilledBytes);
  BlockSample Sample = sample(UnitCost);
  double Units = 0;
  for (const BlockStratum &Stratum : Sample.Strata)
    Units += double(Stratum.Blocks.size() / Selected.slots());
  if (Units * UnitCost > MostTimesInstructions * double(Request.Instructions))
    return makeError(
        ErrorKind::Resources,
        formatv("a thread block of '{0}' takes about {1:F0} instructions on the CPU, too many for "
                "the {2} blocks that would have to be run",
                Launch.Kernel, UnitCost, Units));
  return run(Sample);
}

static BlockFrequencies toFrequencies(const Function &Kernel, const Averages &Counted) {
  BlockFrequencies Result;
  Result.Source = Counted.Complete ? InstrSource::ExactRun : InstrSource::Sampled;
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
