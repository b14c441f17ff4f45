//===- MemoryTrace.cpp - A sample of a variant's accesses -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/MemoryTrace.h"
#include "CountingProblem.h"
#include "gpuprune/Device/Occupancy.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

/// Rounds of a block's loops, its threads together: some 100 ms.
static constexpr uint64_t MostSteps = uint64_t(1) << 17;

/// A block in the middle, the one beside it and the one below: what they share is counted once. Then one in
/// the middle of each quarter, since control flow may differ.
static std::vector<uint64_t> sampledBlocks(const Dim3 &Grid) {
  uint64_t Width = uint64_t(Grid.X), Height = uint64_t(Grid.Y), X = Width / 2, Y = Height / 2,
           Z = uint64_t(Grid.Z) / 2;
  std::vector<uint64_t> Blocks;
  auto Add = [&](uint64_t X, uint64_t Y) {
    uint64_t Linear = X + Width * (Y + Height * Z);
    if (X < Width && Y < Height && !is_contained(Blocks, Linear))
      Blocks.push_back(Linear);
  };
  Add(X, Y);
  Add(X + 1, Y);
  Add(X, Y + 1);
  for (uint64_t Row : {Height / 4, 3 * Height / 4})
    for (uint64_t Column : {Width / 4, 3 * Width / 4})
      Add(Column, Row);
  return Blocks;
}

static ProfiledLaunch profiledLaunch(const BuiltVariant &Built, const DeviceInfo &Device) {
  ProfiledLaunch Launch;
  const Dim3 &Grid = Built.Row.Launch.Grid, &Block = Built.Row.Launch.Block;
  Launch.ThreadsPerBlock = uint64_t(Block.X) * Block.Y * Block.Z;
  Launch.Blocks = uint64_t(Grid.X) * Grid.Y * Grid.Z;
  uint64_t Resident = std::min<uint64_t>(std::max(1u, Built.Row.BlocksPerSM.value_or(1)),
                                         divideCeil(Launch.Blocks, uint64_t(Device.SMCount)));
  Launch.ResidentThreads = Resident * Launch.ThreadsPerBlock;
  uint64_t Shared = Built.Row.SharedBytes.value_or(0) + Built.Row.Launch.SharedBytes + Device.SharedReserved;
  Launch.L1Bytes = l1BytesBeside(Device, Resident * Shared);
  return Launch;
}

/// Runs \p Blocks one by one, up to one that takes too long, which ends its launch.
static Error runBlocks(const HostProgram &Program, HostLaunch Launch, ArrayRef<uint64_t> Blocks,
                       MemoryProfiler &Profiler) {
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
    if (Ran->Fault)
      break;
  }
  return Error::success();
}

Expected<MemoryProfile> profileMemory(const BuiltVariant &Built, ResolvedProblem Problem,
                                      const DeviceInfo &Device) {
  HostOptions Options;
  Options.Kernels = {Built.Symbol};
  Options.WatchMemory = Options.WatchBranches = Options.CountSteps = true;
  Expected<std::unique_ptr<HostProgram>> Program = HostProgram::create(Built.FinalBitcode, Options);
  if (!Program)
    return Program.takeError();
  CountingProblem Over(std::move(Problem));
  GuardedMemory Memory;
  HostLaunch Launch = Over.launch(Built.Row.Launch);
  Launch.Kernel = Built.Symbol;
  Launch.StepLimit = MostSteps;
  if (Error E = Over.provide(**Program, Launch, Memory))
    return std::move(E);
  MemoryProfiler Profiler(profiledLaunch(Built, Device));
  ArrayRef<AccessSite> Sites = (*Program)->sites();
  Launch.Trace = [&](const MemoryAccess &Access) {
    Profiler.add(Access, Access.Kind != AccessKind::Branch && Access.Space == AccessSpace::Global &&
                             Sites[Access.Site].AddressSpace == NVPTXAS::ADDRESS_SPACE_CONST);
  };
  if (Error E = runBlocks(**Program, Launch, sampledBlocks(Built.Row.Launch.Grid), Profiler))
    return std::move(E);
  return Profiler.finish([&](uint64_t Address) -> std::optional<MemoryProfiler::Extent> {
    std::optional<BufferPlace> Place = Memory.find(Address);
    if (!Place)
      return std::nullopt;
    return MemoryProfiler::Extent{Address - uint64_t(Place->Offset), Place->BufferBytes};
  });
}

} // namespace gpuprune
