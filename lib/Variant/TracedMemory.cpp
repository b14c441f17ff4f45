//===- TracedMemory.cpp - Accesses of a variant from its PTX ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CountingProblem.h"
#include "gpuprune/Variant/MemoryTrace.h"

using namespace llvm;

namespace gpuprune {

/// An access is worth so many steps, and each of its sectors.
static constexpr double WorkOfAccess = 8, WorkOfSector = 4;
/// A block ends where it takes so many times as long as was expected.
static constexpr double Slack = 4;

namespace {

/// How much of the launch is traced.
struct TraceExtent {
  size_t Blocks;
  uint64_t Iterations;
};

} // namespace

/// The most for which MostWork suffices: rather all blocks and fewer iterations of loops, of which there have
/// to be enough for a line of memory to be passed.
static TraceExtent extentOf(const KernelTrace &Trace, const KernelCounts &Counts, size_t Blocks, double Warps,
                            double MostWork) {
  auto Suffices = [&](const TraceExtent &E) {
    return Trace.steps(Counts.Blocks, E.Iterations, WorkOfAccess) * Warps * double(E.Blocks) <= MostWork;
  };
  TraceExtent Whole{Blocks, TraceLimits().Iterations};
  if (Suffices(Whole))
    return Whole;
  for (size_t Of : {Blocks, std::min<size_t>(Blocks, 3), size_t(1)})
    for (uint64_t Iterations = 4096; Iterations >= (Of > 1 ? 32 : 8); Iterations /= 2)
      if (TraceExtent Extent{Of, Iterations}; Suffices(Extent))
        return Extent;
  return {1, 8};
}

static uint64_t stepLimit(double Steps) { return Steps < 1e18 ? uint64_t(Steps) : TraceLimits().Steps; }

Expected<MemoryProfile> traceMemory(const BuiltVariant &Built, const FlowGraph &Flow,
                                    const ResolvedProblem &Problem, const DeviceInfo &Device,
                                    double MostWork) {
  CountingProblem Over(Problem);
  TraceMemory Memory;
  Expected<TracedLaunch> Launch = Over.trace(Built.Row.Launch, Memory);
  if (!Launch)
    return Launch.takeError();
  Expected<KernelTrace> Trace =
      KernelTrace::create(Built.Ptx, Built.Symbol, Flow, std::move(*Launch), Memory);
  if (!Trace)
    return Trace.takeError();
  const KernelCounts &Counts = Built.Kernel.Counts;
  ProfiledLaunch Profiled = profiledLaunch(Built, Device);
  std::vector<uint64_t> Blocks = sampledBlocks(Built.Row.Launch.Grid);
  double Warps = double(divideCeil(Profiled.ThreadsPerBlock, LanesOfWarp));
  TraceExtent Extent = extentOf(*Trace, Counts, Blocks.size(), Warps, MostWork);
  Blocks.resize(Extent.Blocks);
  DenseMap<unsigned, double> Executions;
  for (const PtxBlockExecutions &B : Counts.Blocks)
    Executions[B.Number] = B.Executions;
  MemoryProfiler Profiler(Profiled, [&](uint32_t Site) -> std::optional<double> {
    std::optional<unsigned> Block = Trace->sites()[Site];
    auto Known = Block ? Executions.find(*Block) : Executions.end();
    return Known == Executions.end() ? std::nullopt : std::optional(Known->second);
  });
  double Work = 0;
  for (auto [Done, Block] : enumerate(Blocks)) {
    // Addresses that depend on data may have more sectors than was expected.
    if (Done &&
        (Work + WorkOfSector * double(Profiler.sectors())) / double(Done) * double(Done + 1) > 2 * MostWork)
      break;
    TraceLimits Limits{Extent.Iterations, stepLimit(Slack * MostWork / double(Blocks.size()))};
    Expected<TracedBlock> Ran = Trace->run(Block, Limits, [&](const WarpAccess &A) {
      Work += WorkOfAccess;
      Profiler.add(A);
    });
    if (!Ran)
      return Ran.takeError();
    Work += double(Ran->Steps);
    Profiler.finishBlock(Ran->LeftLoops || Ran->RanOutOfSteps, /*ThreadsMeet=*/true);
  }
  return Profiler.finish([&](uint64_t Address) -> std::optional<MemoryProfiler::Extent> {
    std::optional<TraceMemory::Extent> In = Memory.find(Address);
    return In ? std::optional(MemoryProfiler::Extent{In->Begin, In->Bytes}) : std::nullopt;
  });
}

} // namespace gpuprune
