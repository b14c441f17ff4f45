//===- VariantCycles.cpp - The cycles of one thread of a variant ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/VariantCycles.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Variant/MemoryTrace.h"
#include "gpuprune/Variant/VariantTime.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

static Expected<MemoryProfile> profileStock(const BuiltVariant &Stock, const VariantBuilder &Builder,
                                            const TuningTarget &Target) {
  if (Target.W.isSequence())
    return makeError(ErrorKind::Refused, "what the earlier launches of the sequence leave is not known");
  if (!Stock.alive() || Stock.Ptx.empty())
    return makeError(ErrorKind::Refused, "the kernel as written was not built");
  Expected<ResolvedProblem> Problem = Builder.tuneProblem(Stock.parts());
  if (!Problem)
    return Problem.takeError();
  Expected<FlowGraph> Ptx = ptxFlow(Stock.Ptx, Stock.Symbol);
  if (!Ptx)
    return Ptx.takeError();
  return profileMemory(Stock, *Ptx, *Problem, *Target.Device);
}

Expected<AverageLatency> averageLatency(const BuiltVariant &Stock, const VariantBuilder &Builder,
                                        const TuningTarget &Target) {
  Expected<const ModelRates *> Rates = findRates(Target.Device->Arch);
  if (!Rates)
    return Rates.takeError();
  Expected<MemoryProfile> Memory = profileStock(Stock, Builder, Target);
  if (!Memory)
    return AverageLatency{
        {(*Rates)->L2Latency, (*Rates)->L2Latency},
        formatv("memory latency {0:f0} cycles, that of L2, since no hit ratio is known: {1}",
                (*Rates)->L2Latency, toString(Memory.takeError()))};
  const PhysicalLaunch &Launch = Stock.Row.Launch;
  GlobalLatencies Global = globalLatencies(Stock.Kernel.Counts, *Memory,
                                           {Launch.Grid, Launch.Block, Stock.Row.BlocksPerSM.value_or(1)},
                                           *Target.Device, **Rates);
  return AverageLatency{Global,
                        formatv("memory latency {0:f0} cycles, from the hit ratios of the kernel as written "
                                "by the analysis of its accesses",
                                Global.Load)};
}

Expected<ScheduledRow> scheduleVariant(const BuiltVariant &Built, const AverageLatency &Latency,
                                       const DeviceInfo &Device) {
  Expected<const ModelRates *> Rates = findRates(Device.Arch);
  if (!Rates)
    return Rates.takeError();
  Expected<KernelCode> Code = readCode(*Built.Code);
  if (!Code)
    return Code.takeError();
  Expected<FlowGraph> Ptx = ptxFlow(Built.Ptx, Built.Symbol);
  if (!Ptx)
    return Ptx.takeError();
  ThreadCycles Found = threadCycles(*Code, *Ptx, Built.Kernel.Counts.Blocks, {**Rates, Latency.Global});
  std::vector<std::string> Notes = {Latency.Source};
  append_range(Notes, Found.Assumed);
  return ScheduledRow{Found.Cycles, join(Notes, "; ")};
}

} // namespace gpuprune
