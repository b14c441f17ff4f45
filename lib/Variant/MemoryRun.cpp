//===- MemoryRun.cpp - Accesses of a variant that the CPU runs --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CountingProblem.h"
#include "gpuprune/Variant/MemoryTrace.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

/// Rounds of a block's loops, its threads together: some 100 ms.
static constexpr uint64_t MostSteps = uint64_t(1) << 17;

/// Runs \p Blocks one by one, up to one that takes too long, which ends its launch, or after which \p
/// IsEnough.
static Error runBlocks(const HostProgram &Program, HostLaunch Launch, ArrayRef<uint64_t> Blocks,
                       MemoryProfiler &Profiler, function_ref<bool()> IsEnough) {
  auto IsTooMuch = [&](FaultKind Kind) {
    return Kind == FaultKind::StepLimit || (Kind == FaultKind::Memory && Launch.Memory->isLazilyFull());
  };
  const HostKernel *Kernel = Program.kernel(Launch.Kernel);
  for (uint64_t Block : Blocks) {
    Launch.BlockSubset = {Block};
    Expected<LaunchReport> Ran = Program.launch(Launch);
    if (!Ran)
      return Ran.takeError();
    if (Ran->Fault && !IsTooMuch(Ran->Fault->Kind))
      return makeError(ErrorKind::Runner, Ran->Fault->Message);
    Profiler.finishBlock(Ran->Fault.has_value(), Kernel && Kernel->ThreadsMeet);
    if (Ran->Fault || IsEnough())
      break;
  }
  return Error::success();
}

Expected<MemoryProfile> runMemory(const BuiltVariant &Built, const ResolvedProblem &Problem,
                                  const DeviceInfo &Device, uint64_t Enough) {
  HostOptions Options;
  Options.Kernels = {Built.Symbol};
  Options.WatchMemory = Options.WatchBranches = Options.CountSteps = true;
  Expected<std::unique_ptr<HostProgram>> Program = HostProgram::create(Built.FinalBitcode, Options);
  if (!Program)
    return Program.takeError();
  CountingProblem Over(Problem);
  GuardedMemory Memory;
  HostLaunch Launch = Over.launch(Built.Row.Launch);
  Launch.Kernel = Built.Symbol;
  Launch.StepLimit = MostSteps;
  if (Error E = Over.provide(**Program, Launch, Memory))
    return std::move(E);
  MemoryProfiler Profiler(profiledLaunch(Built, Device));
  ArrayRef<AccessSite> Sites = (*Program)->sites();
  uint64_t Accesses = 0;
  Launch.Trace = [&](const MemoryAccess &Access) {
    ++Accesses;
    Profiler.add(Access, Access.Kind != AccessKind::Branch && Access.Space == AccessSpace::Global &&
                             Sites[Access.Site].AddressSpace == NVPTXAS::ADDRESS_SPACE_CONST);
  };
  if (Error E = runBlocks(**Program, Launch, sampledBlocks(Built.Row.Launch.Grid), Profiler,
                          [&] { return Accesses >= Enough; }))
    return std::move(E);
  return Profiler.finish([&](uint64_t Address) -> std::optional<MemoryProfiler::Extent> {
    std::optional<BufferPlace> Place = Memory.find(Address);
    if (!Place)
      Place = (*Program)->findVariable(Address);
    if (!Place)
      return std::nullopt;
    return MemoryProfiler::Extent{Address - uint64_t(Place->Offset), Place->BufferBytes};
  });
}

} // namespace gpuprune
