//===- WarpSample.cpp - Which warps stand for a grid ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WarpSample.h"
#include "BlockSample.h"
#include "gpuprune/HostExecution/WarpRequests.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace gpuprune;

static std::vector<ThreadPlace> threadsOf(const Dim3 &At, const Dim3 &Block, uint64_t Warp) {
  std::vector<ThreadPlace> Places;
  uint64_t End = std::min<uint64_t>((Warp + 1) * LanesOfWarp, uint64_t(Block.volume()));
  for (uint64_t Lane = Warp * LanesOfWarp; Lane < End; ++Lane) {
    Dim3 Of = blockAt(Block, Lane);
    Places.push_back(
        {int32_t(At.X), int32_t(At.Y), int32_t(At.Z), int32_t(Of.X), int32_t(Of.Y), int32_t(Of.Z)});
  }
  return Places;
}

std::vector<SampledWarp> gpuprune::sampledWarps(const Dim3 &Grid, const Dim3 &Block, uint64_t Most) {
  uint64_t OfBlock = divideCeil(uint64_t(Block.volume()), LanesOfWarp);
  double All = Grid.volume() * double(OfBlock);
  uint64_t Count = All <= double(Most) ? uint64_t(All) : Most;
  if (Count > OfBlock)
    Count = Count / OfBlock * OfBlock;
  std::vector<SampledWarp> Warps;
  for (auto [Index, At] : enumerate(drawBlocks(Grid, Count, OfBlock))) {
    // Of fewer than a block has, not the first ones alone.
    uint64_t Warp = Count < OfBlock ? Index * OfBlock / Count : Index % OfBlock;
    Warps.push_back({threadsOf(blockAt(Grid, At), Block, Warp), Warp});
  }
  return Warps;
}
