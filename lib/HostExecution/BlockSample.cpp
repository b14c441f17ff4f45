//===- BlockSample.cpp - Which thread blocks stand for a grid ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BlockSample.h"
#include "llvm/ADT/STLExtras.h"
#include <random>

using namespace llvm;
using namespace gpuprune;

static uint64_t linear(const Dim3 &Grid, const Dim3 &Block) {
  return uint64_t(Block.X) + uint64_t(Grid.X) * (uint64_t(Block.Y) + uint64_t(Grid.Y) * uint64_t(Block.Z));
}

/// The block of \p Extent at \p Index.
static Dim3 at(const Dim3 &Extent, uint64_t Index) {
  return {int64_t(Index % Extent.X), int64_t(Index / Extent.X % Extent.Y),
          int64_t(Index / Extent.X / Extent.Y)};
}

/// \p Count blocks of \p Extent, one out of each of as many equal parts.
static std::vector<Dim3> spread(const Dim3 &Extent, uint64_t Count, std::mt19937_64 &Random) {
  uint64_t All = uint64_t(Extent.volume());
  Count = std::min(Count, All);
  std::vector<Dim3> Blocks;
  for (uint64_t I = 0; I < Count; ++I) {
    uint64_t Begin = uint64_t(double(All) * I / Count), End = uint64_t(double(All) * (I + 1) / Count);
    Blocks.push_back(at(Extent, Begin + Random() % std::max<uint64_t>(1, End - Begin)));
  }
  return Blocks;
}

static BlockStratum stratum(const Dim3 &Grid, ArrayRef<Dim3> Blocks, double Weight) {
  BlockStratum S;
  for (const Dim3 &Block : Blocks)
    S.Blocks.push_back(linear(Grid, Block));
  sort(S.Blocks);
  S.Blocks.erase(llvm::unique(S.Blocks), S.Blocks.end());
  S.Weight = Weight;
  return S;
}

/// Blocks at the end of a dimension of \p Extent, spread over the faces.
static std::vector<Dim3> atFarEdge(const Dim3 &Extent, uint64_t Count, std::mt19937_64 &Random) {
  std::vector<Dim3> Blocks = {{Extent.X - 1, Extent.Y - 1, Extent.Z - 1}};
  for (unsigned D = 0; D < Dim3::size(); ++D) {
    if (Extent[D] == 1)
      continue;
    Dim3 Face = Extent;
    Face[D] = 1;
    for (Dim3 Block : spread(Face, std::max<uint64_t>(1, Count / Dim3::size()), Random)) {
      Block[D] = Extent[D] - 1;
      Blocks.push_back(Block);
    }
  }
  return Blocks;
}

BlockSample gpuprune::sampleBlocks(const Dim3 &Grid, std::array<bool, 3> Matters, uint64_t Most) {
  Dim3 Extent;
  for (unsigned D = 0; D < Dim3::size(); ++D)
    Extent[D] = Matters[D] ? Grid[D] : 1;
  std::mt19937_64 Random(1); // A generator that the standard defines exactly.
  Most = std::max<uint64_t>(Most, 8);
  BlockSample Sample;
  if (Extent.volume() <= double(Most)) {
    Sample.Complete = true;
    Sample.Strata.push_back(stratum(Grid, spread(Extent, Most, Random), Extent.volume()));
    return Sample;
  }
  Dim3 Inside;
  for (unsigned D = 0; D < Dim3::size(); ++D)
    Inside[D] = std::max<int64_t>(1, Extent[D] - 1);
  Sample.Strata.push_back(stratum(Grid, spread(Inside, Most - Most / 4, Random), Inside.volume()));
  double Edge = Extent.volume() - Inside.volume();
  Sample.Strata.push_back(stratum(Grid, atFarEdge(Extent, Most / 4, Random), Edge));
  return Sample;
}
