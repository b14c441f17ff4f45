//===- BlockCounts.cpp - Executions of basic blocks, counted by running ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/HostExecution/BlockCounts.h"
#include "BlockSample.h"
#include "ControlSkeleton.h"
#include "gpuprune/HostExecution/HostProgram.h"
#include "gpuprune/Support/Error.h"
#include "llvm/IR/Function.h"

using namespace llvm;
using namespace gpuprune;

namespace {

/// A program with counters, and what it has counted so far.
class Counter {
public:
  static Expected<Counter> create(CountingKernel &Counting, StringRef Symbol);
  HostProgram &program() { return *Program; }
  Error run(HostLaunch Launch, const BlockSample &Sample);
  /// Executions by counter, on average over the threads.
  std::vector<double> average() const;

private:
  std::unique_ptr<HostProgram> Program;
  std::vector<double> Sums; ///< Of what a thread executes, times the weights.
  double Weights = 0;
};

} // namespace

Expected<Counter> Counter::create(CountingKernel &Counting, StringRef Symbol) {
  HostOptions Options;
  Options.Kernels = {Symbol.str()};
  Counter Result;
  Expected<std::unique_ptr<HostProgram>> Program = HostProgram::create(Counting.module(), Options);
  if (!Program)
    return Program.takeError();
  Result.Program = std::move(*Program);
  return Result;
}

static Error asError(const HostFault &Fault) {
  bool TooLong = Fault.Kind == FaultKind::TimeLimit || Fault.Kind == FaultKind::StepLimit;
  return makeError(TooLong ? ErrorKind::Resources : ErrorKind::Runner, Fault.Message);
}

Error Counter::run(HostLaunch Launch, const BlockSample &Sample) {
  double Threads = Launch.Block.volume();
  for (const BlockStratum &Stratum : Sample.Strata) {
    Launch.BlockSubset = Stratum.Blocks;
    MutableArrayRef<uint64_t> Counts = Program->variable(CountingKernel::Variable)->as<uint64_t>();
    llvm::fill(Counts, 0);
    Expected<LaunchReport> Report = Program->launch(Launch);
    if (!Report)
      return Report.takeError();
    if (Report->Fault)
      return asError(*Report->Fault);
    Sums.resize(Counts.size());
    for (auto [Sum, Count] : zip(Sums, Counts))
      Sum += Stratum.Weight * double(Count) / (double(Stratum.Blocks.size()) * Threads);
    Weights += Stratum.Weight;
  }
  return Error::success();
}

std::vector<double> Counter::average() const {
  std::vector<double> Average;
  for (double Sum : Sums)
    Average.push_back(Sum / Weights);
  return Average;
}

static BlockFrequencies toFrequencies(const Function &Kernel, ArrayRef<double> Counters, bool Complete) {
  BlockFrequencies Result;
  Result.Source = Complete ? InstrSource::ExactRun : InstrSource::Sampled;
  size_t Next = 0;
  for (const BasicBlock &Block : Kernel)
    Result.Blocks[&Block] = Counters[Next++];
  for (const BasicBlock &Block : Kernel) {
    const Instruction *End = Block.getTerminator();
    if (End->getNumSuccessors() == 1)
      Result.Edges[{&Block, End->getSuccessor(0)}] = Result.Blocks[&Block];
    for (unsigned S = 0; End->getNumSuccessors() > 1 && S < End->getNumSuccessors(); ++S)
      Result.Edges[{&Block, End->getSuccessor(S)}] += Counters[Next++];
  }
  return Result;
}

/// Where control depends on nothing but the launch.
static Expected<BlockFrequencies> runSkeleton(const Function &Kernel, CountingKernel &Skeleton,
                                              HostLaunch Launch, uint64_t MostBlocks) {
  // The compile for the CPU leaves no special registers to be seen.
  BlockSample Sample = sampleBlocks(Launch.Grid, Skeleton.readsBlockIndex(), MostBlocks);
  Expected<Counter> Counted = Counter::create(Skeleton, Kernel.getName());
  if (!Counted)
    return Counted.takeError();
  if (Error E = Counted->run(std::move(Launch), Sample))
    return std::move(E);
  return toFrequencies(Kernel, Counted->average(), Sample.Complete);
}

/// Where it depends on memory.
static Expected<BlockFrequencies> runWhole(const Function &Kernel, const CountingRequest &Request,
                                           HostLaunch Launch, uint64_t MostBlocks) {
  if (!Request.ProvideData)
    return makeError(ErrorKind::Refused, "the control flow of '" + Kernel.getName() +
                                             "' depends on memory, whose contents are not known here");
  CountingKernel Whole(Kernel);
  Whole.addCounters();
  Expected<Counter> Counted = Counter::create(Whole, Kernel.getName());
  if (!Counted)
    return Counted.takeError();
  if (Error E = Request.ProvideData(Counted->program(), Launch))
    return std::move(E);
  BlockSample Sample = sampleBlocks(Launch.Grid, {true, true, true}, MostBlocks);
  if (Error E = Counted->run(std::move(Launch), Sample))
    return std::move(E);
  return toFrequencies(Kernel, Counted->average(), Sample.Complete);
}

Expected<BlockFrequencies> gpuprune::countBlocks(const Function &Kernel, const CountingRequest &Request) {
  HostLaunch Launch = Request.Launch;
  Launch.Kernel = Kernel.getName().str();
  Launch.TimeLimit = Request.TimeLimit;
  double Threads = Launch.Block.volume();
  if (CountingKernel Skeleton(Kernel); Skeleton.reduceToControl())
    return runSkeleton(Kernel, Skeleton, std::move(Launch),
                       uint64_t(double(Request.SkeletonThreads) / Threads));
  return runWhole(Kernel, Request, std::move(Launch), uint64_t(double(Request.KernelThreads) / Threads));
}
