//===- MemoryTrace.cpp - A sample of a variant's accesses -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/MemoryTrace.h"
#include "gpuprune/Device/Occupancy.h"

using namespace llvm;

namespace gpuprune {

std::vector<uint64_t> sampledBlocks(const Dim3 &Grid) {
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
  if (Height == 1 || Width == 1) // What a block does may depend on the last bits of its number.
    for (uint64_t Eighth : {1, 3, 5, 7}) {
      auto At = [&](uint64_t Blocks) { return Blocks == 1 ? 0 : Eighth * Blocks / 8 + Eighth / 2; };
      Add(At(Width), At(Height));
    }
  else
    for (uint64_t Row : {Height / 4, 3 * Height / 4})
      for (uint64_t Column : {Width / 4, 3 * Width / 4})
        Add(Column, Row);
  return Blocks;
}

ProfiledLaunch profiledLaunch(const BuiltVariant &Built, const DeviceInfo &Device) {
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

Expected<MemoryProfile> profileMemory(const BuiltVariant &Built, const FlowGraph &Flow,
                                      const ResolvedProblem &Problem, const DeviceInfo &Device,
                                      IfUntraced Else) {
  Expected<MemoryProfile> Traced = traceMemory(Built, Flow, Problem, Device);
  if (Traced)
    return Traced;
  std::string Why = toString(Traced.takeError());
  if (Else == IfUntraced::Refuse || Built.FinalBitcode.empty())
    return makeError(ErrorKind::Refused, Why);
  Expected<MemoryProfile> Ran = runMemory(Built, Problem, Device);
  if (Ran)
    Ran->WhyRun = std::move(Why);
  return Ran;
}

} // namespace gpuprune
