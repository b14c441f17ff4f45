//===- BlockSample.cpp - Which thread blocks stand for a grid ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BlockSample.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace llvm;
using namespace gpuprune;

namespace {

/// Blocks First to First + Extent - 1 in each dimension.
struct Region {
  Dim3 First{0, 0, 0}, Extent;
};

} // namespace

/// Steps of an additive sequence in each dimension, whose first numbers are spread evenly however many are
/// taken: powers of the plastic ratio for the first two, as in M. Roberts, "The unreasonable effectiveness of
/// quasirandom sequences", 2018, and the golden ratio.
static constexpr double SpreadSteps[Dim3::size()] = {0.7548776662466927, 0.5698402909980532,
                                                     0.6180339887498949};

uint64_t gpuprune::spreadPlace(const Dim3 &Extent, uint64_t Index) {
  uint64_t Place = 0;
  for (unsigned D = Dim3::size(); D-- > 0;) {
    double Share = 0.5 + double(Index) * SpreadSteps[D];
    auto At = int64_t((Share - std::floor(Share)) * double(Extent[D]));
    Place = Place * uint64_t(Extent[D]) + uint64_t(std::min(At, Extent[D] - 1));
  }
  return Place;
}

Dim3 gpuprune::blockAt(const Dim3 &Grid, uint64_t Linear) {
  return {int64_t(Linear % Grid.X), int64_t(Linear / Grid.X % Grid.Y), int64_t(Linear / Grid.X / Grid.Y)};
}

/// Block \p Index of \p R by its linear index in \p Grid.
static uint64_t linear(const Dim3 &Grid, const Region &R, uint64_t Index) {
  Dim3 Block = blockAt(R.Extent, Index);
  uint64_t Z = R.First.Z + Block.Z, Y = R.First.Y + Block.Y, X = R.First.X + Block.X;
  return X + uint64_t(Grid.X) * (Y + uint64_t(Grid.Y) * Z);
}

/// \p Count blocks of \p R, spread evenly over all dimensions, each \p Times in a row; where R has no more,
/// each of them as often.
static BlockStratum spread(const Dim3 &Grid, const Region &R, uint64_t Count, uint64_t Times) {
  uint64_t All = uint64_t(R.Extent.volume());
  BlockStratum S;
  S.Weight = R.Extent.volume();
  S.Blocks.reserve(Count * Times);
  for (uint64_t I = 0; I < Count; ++I) {
    uint64_t Index = All <= Count ? uint64_t((unsigned __int128)(All)*I / Count) : spreadPlace(R.Extent, I);
    S.Blocks.insert(S.Blocks.end(), Times, linear(Grid, R, Index));
  }
  return S;
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
  Sample.Strata.push_back(spread(Grid, Drawn, Slots / Together, Together));
  return Sample;
}

BlockSample gpuprune::sampleBlocks(const Dim3 &Grid, std::array<bool, 3> Matters, uint64_t Most,
                                   uint64_t Slots, uint64_t Together) {
  Dim3 Extent = extentOf(Grid, Matters);
  BlockSample Sample;
  if (Extent.volume() <= double(Most)) {
    Sample.Complete = true;
    Sample.Strata.push_back(spread(Grid, {{0, 0, 0}, Extent}, uint64_t(Extent.volume()) * Slots, 1));
    return Sample;
  }
  std::vector<Region> Regions = regionsOf(Extent);
  const auto Inside = max_element(
      Regions, [](const Region &A, const Region &B) { return A.Extent.volume() < B.Extent.volume(); });
  // The borders weigh little: a quarter is for all of them together.
  uint64_t OfBorder = std::max<uint64_t>(1, Most / 4 / Regions.size());
  uint64_t OfInside = std::max<uint64_t>(1, Most - std::min(Most, OfBorder * (Regions.size() - 1)));
  if (Slots > 1) { // Variants whose costs differ a little get the same threads.
    OfBorder = bit_floor(OfBorder);
    OfInside = bit_floor(OfInside);
  }
  for (const Region &R : Regions) {
    uint64_t Units = &R == &*Inside ? OfInside : OfBorder;
    if (Slots == 1) // A block that is run once need not be run again.
      Units = std::min(Units, uint64_t(R.Extent.volume()));
    Sample.Strata.push_back(spread(Grid, R, Units * Slots / Together, Together));
  }
  return Sample;
}
