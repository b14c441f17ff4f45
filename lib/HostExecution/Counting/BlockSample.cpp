//===- BlockSample.cpp - Which thread blocks stand for a grid ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BlockSample.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>
#include <random>

using namespace llvm;
using namespace gpuprune;

namespace {

/// Blocks First to First + Extent - 1 in each dimension.
struct Region {
  Dim3 First{0, 0, 0}, Extent;
};

} // namespace

Dim3 gpuprune::blockAt(const Dim3 &Grid, uint64_t Linear) {
  return {int64_t(Linear % Grid.X), int64_t(Linear / Grid.X % Grid.Y), int64_t(Linear / Grid.X / Grid.Y)};
}

/// Block \p Index of \p R by its linear index in \p Grid.
static uint64_t linear(const Dim3 &Grid, const Region &R, uint64_t Index) {
  Dim3 Block = blockAt(R.Extent, Index);
  uint64_t Z = R.First.Z + Block.Z, Y = R.First.Y + Block.Y, X = R.First.X + Block.X;
  return X + uint64_t(Grid.X) * (Y + uint64_t(Grid.Y) * Z);
}

/// \p Part of \p Of parts of \p All.
static uint64_t share(int64_t All, uint64_t Part, uint64_t Of) {
  return uint64_t((unsigned __int128)(uint64_t(All)) * Part / Of);
}

/// Into how many parts dimension \p D of \p Extent is divided, so that \p Count cells are about as many in
/// each dimension.
static uint64_t partsIn(const Dim3 &Extent, unsigned D, uint64_t Count) {
  unsigned Left = 0;
  for (unsigned Lower = 0; Lower <= D; ++Lower)
    Left += Extent[Lower] > 1;
  if (D == 0 || Left == 0)
    return D == 0 ? Count : 1;
  auto Wanted = uint64_t(std::llround(std::pow(double(Count), 1.0 / Left)));
  return std::clamp<uint64_t>(Wanted, 1, std::min(Count, uint64_t(Extent[D])));
}

/// Divides \p R into \p Count cells, by dimension \p D and those below, and appends a block of each.
static void drawFromCells(const Dim3 &Grid, const Region &R, unsigned D, uint64_t Count,
                          std::mt19937_64 &Random, std::vector<uint64_t> &Blocks) {
  uint64_t Parts = partsIn(R.Extent, D, Count);
  for (uint64_t Part = 0; Part < Parts; ++Part) {
    uint64_t Before = share(int64_t(Count), Part, Parts), Behind = share(int64_t(Count), Part + 1, Parts);
    auto Begin = int64_t(share(R.Extent[D], Before, Count)), End = int64_t(share(R.Extent[D], Behind, Count));
    Region Cell = R;
    Cell.First[D] += Begin;
    Cell.Extent[D] = std::max<int64_t>(1, End - Begin);
    if (D > 0) {
      drawFromCells(Grid, Cell, D - 1, Behind - Before, Random, Blocks);
      continue;
    }
    for (unsigned Each = 0; Each < Dim3::size(); ++Each)
      Cell.First[Each] += int64_t(Random() % uint64_t(Cell.Extent[Each]));
    Blocks.push_back(linear(Grid, Cell, 0));
  }
}

/// \p Count blocks of \p R, one out of each of as many equal cells; where R has no more, each of them as
/// often. Which of a round of \p Slots gets which is left to chance, since what a thread does may depend on
/// its number and that of its block.
static std::vector<uint64_t> draw(const Dim3 &Grid, const Region &R, uint64_t Count, uint64_t Slots) {
  std::mt19937_64 Random(1); // A generator that the standard defines exactly.
  std::vector<uint64_t> Blocks;
  Blocks.reserve(Count);
  if (auto All = uint64_t(R.Extent.volume()); All <= Count)
    for (uint64_t I = 0; I < Count; ++I)
      Blocks.push_back(linear(Grid, R, share(int64_t(All), I, Count)));
  else
    drawFromCells(Grid, R, Dim3::size() - 1, Count, Random, Blocks);
  for (uint64_t Begin = 0; Begin < Count; Begin += Slots)
    for (uint64_t Left = std::min(Slots, Count - Begin); Left > 1; --Left)
      std::swap(Blocks[Begin + Left - 1], Blocks[Begin + Random() % Left]);
  return Blocks;
}

/// \p Units times all slots, \p Together in the same block.
static BlockStratum spread(const Dim3 &Grid, const Region &R, uint64_t Units, uint64_t Slots,
                           uint64_t Together) {
  BlockStratum S;
  S.Weight = R.Extent.volume();
  for (uint64_t Block : draw(Grid, R, Units * Slots / Together, Slots / Together))
    S.Blocks.insert(S.Blocks.end(), Together, Block);
  return S;
}

std::vector<uint64_t> gpuprune::drawBlocks(const Dim3 &Grid, uint64_t Count, uint64_t Slots) {
  return draw(Grid, {{0, 0, 0}, Grid}, Count, Slots);
}

static Dim3 extentOf(const Dim3 &Grid, std::array<bool, 3> Matters) {
  Dim3 Extent;
  for (unsigned D = 0; D < Dim3::size(); ++D)
    Extent[D] = Matters[D] ? Grid[D] : 1;
  return Extent;
}

/// The first block, those inside and the last block of a dimension of \p Count.
static std::vector<std::pair<int64_t, int64_t>> partsOf(int64_t Count) {
  std::vector<std::pair<int64_t, int64_t>> Parts = {{0, 1}};
  if (Count > 2)
    Parts.emplace_back(1, Count - 2);
  if (Count > 1)
    Parts.emplace_back(Count - 1, 1);
  return Parts;
}

static std::vector<Region> regionsOf(const Dim3 &Extent) {
  std::vector<Region> Regions = {{{0, 0, 0}, Extent}};
  for (unsigned D = 0; D < Dim3::size(); ++D) {
    std::vector<Region> Divided;
    for (const Region &R : Regions)
      for (auto [First, Count] : partsOf(Extent[D])) {
        Divided.push_back(R);
        Divided.back().First[D] = First;
        Divided.back().Extent[D] = Count;
      }
    Regions = std::move(Divided);
  }
  return Regions;
}

uint64_t gpuprune::strataOf(const Dim3 &Grid, std::array<bool, 3> Matters) {
  return regionsOf(extentOf(Grid, Matters)).size();
}

BlockSample gpuprune::pilotBlock(const Dim3 &Grid, std::array<bool, 3> Matters, uint64_t Slots,
                                 uint64_t Together) {
  Dim3 Extent = extentOf(Grid, Matters);
  Region Drawn{{0, 0, 0}, Extent};
  if (Slots == 1)
    Drawn = {{Extent.X / 2, Extent.Y / 2, Extent.Z / 2}, {}};
  BlockSample Sample;
  Sample.Complete = Extent.volume() == 1;
  Sample.Strata.push_back(spread(Grid, Drawn, 1, Slots, Together));
  return Sample;
}

BlockSample gpuprune::sampleBlocks(const Dim3 &Grid, std::array<bool, 3> Matters, uint64_t Most,
                                   uint64_t Slots, uint64_t Together) {
  Dim3 Extent = extentOf(Grid, Matters);
  BlockSample Sample;
  if (Extent.volume() <= double(Most)) {
    Sample.Complete = true;
    Sample.Strata.push_back(spread(Grid, {{0, 0, 0}, Extent}, uint64_t(Extent.volume()), Slots, 1));
    return Sample;
  }
  std::vector<Region> Regions = regionsOf(Extent);
  double Largest = 0;
  for (const Region &R : Regions)
    Largest = std::max(Largest, R.Extent.volume());
  auto IsInside = [&](const Region &R) { return R.Extent.volume() == Largest; };
  auto Inside = uint64_t(count_if(Regions, IsInside)); // Two, of a grid with two columns.
  // The borders weigh little: a quarter is for all of them together.
  uint64_t OfBorder = std::max<uint64_t>(1, Most / 4 / Regions.size());
  uint64_t OfAllInside = Most - std::min(Most, OfBorder * (Regions.size() - Inside));
  uint64_t OfInside = std::max<uint64_t>(1, OfAllInside / Inside);
  if (Slots > 1) { // Variants whose costs differ a little get the same threads.
    OfBorder = bit_floor(OfBorder);
    OfInside = bit_floor(OfInside);
  }
  for (const Region &R : Regions) {
    uint64_t Units = IsInside(R) ? OfInside : OfBorder;
    if (Slots == 1) // A block that is run once need not be run again.
      Units = std::min(Units, uint64_t(R.Extent.volume()));
    Sample.Strata.push_back(spread(Grid, R, Units, Slots, Together));
  }
  return Sample;
}
