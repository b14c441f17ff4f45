//===- DeriveSpace.cpp - A space from what a kernel looks like ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Device/CommonLimits.h"
#include "gpuprune/Passes/Registry.h"
#include "gpuprune/Search/Space.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// A space at one step.
struct Draft {
  PassOffer Offer; ///< Of all passes together.
  std::vector<std::optional<Dim3>> Blocks;
};

} // namespace

/// Shapes worth trying, the likeliest first: rows as long as a warp or longer keep
/// accesses coalesced, squares share most with their neighbours, and 128 to 512 threads
/// suit every device.
static constexpr Dim3 BlockShapes[] = {
    {128, 1, 1}, {256, 1, 1}, {64, 1, 1}, {512, 1, 1}, {MostThreadsPerBlock, 1, 1},
    {32, 1, 1}, // rows
    {32, 8, 1},  {32, 4, 1},  {64, 4, 1}, {16, 16, 1}, {32, 16, 1},
    {16, 8, 1},  {64, 8, 1},  {8, 8, 1},  {32, 4, 2},  {32, 2, 2},
    {32, 4, 4},  {16, 4, 4},  {32, 8, 2}, {8, 8, 4},
};

static bool isChoice(const SpaceFacts &Facts, const Dim3 &Shape) {
  if (Shape == Facts.Block)
    return false;
  for (unsigned D = 0; D != Dim3::size(); ++D)
    if (!Facts.BlockFree[D] && Shape[D] != Facts.Block[D])
      return false;
  return !Facts.TakesBlock || Facts.TakesBlock(Shape);
}

/// The author's block, and others where the launch follows the block. Shapes that use
/// all free dimensions come first.
static std::vector<std::optional<Dim3>> blocksOf(const SpaceFacts &Facts, size_t Most) {
  auto UsesAll = [&](const Dim3 &Shape) {
    for (unsigned D = 0; D != Dim3::size(); ++D)
      if (Facts.BlockFree[D] && Facts.Block[D] > 1 && Shape[D] == 1)
        return false;
    return true;
  };
  std::vector<std::optional<Dim3>> Result = {std::nullopt};
  SmallVector<Dim3> Shapes(std::begin(BlockShapes), std::end(BlockShapes));
  // A block keeps its place until its longest thread ends.
  if (Facts.HasRaggedLoops)
    stable_sort(Shapes, [](const Dim3 &A, const Dim3 &B) { return A.volume() < B.volume(); });
  for (bool All : {true, false})
    for (const Dim3 &Shape : Shapes)
      if (Result.size() < Most && isChoice(Facts, Shape) && UsesAll(Shape) == All)
        Result.push_back(Shape);
  return Result;
}

/// Block shapes at each step, the author's counted.
static constexpr size_t MostBlocks[SpaceSteps] = {7, 7, 4, 4, 4, 3, 1};

/// A name that comes again is the same choice, at its last place.
static void addChoice(const OfferedChoice &Choice, std::vector<OfferedChoice> &All) {
  erase_if(All, [&](const OfferedChoice &C) { return C.Name == Choice.Name; });
  All.push_back(Choice);
}

static Draft draftOf(const SpaceFacts &Facts, unsigned Step) {
  Draft D;
  D.Blocks = blocksOf(Facts, MostBlocks[Step]);
  for (const PassOffers &OfPass : Facts.Offers) {
    append_range(D.Offer.Elements, OfPass[Step].Elements);
    for (const OfferedChoice &Choice : OfPass[Step].Choices)
      addChoice(Choice, D.Offer.Choices);
  }
  return D;
}

/// Results a thread at most: as many accumulators need as many registers. What many results share is read
/// once for all of them; without that, more results only take registers.
static uint64_t mostResults(const SpaceFacts &Facts) { return Facts.SharesReads ? 64 : 16; }

/// Ways to give a thread no more results than that.
static uint64_t waysToResults(const SpaceFacts &Facts, const Draft &D) {
  std::vector<uint64_t> Results = {1};
  for (const OfferedChoice &C : D.Offer.Choices) {
    if (!C.MultipliesResults)
      continue;
    std::vector<uint64_t> More;
    for (const std::string &Text : C.Values) {
      uint64_t Factor = 1;
      StringRef(Text).getAsInteger(10, Factor);
      for (uint64_t Number : Results)
        if (Number * Factor <= mostResults(Facts))
          More.push_back(Number * Factor);
    }
    Results = std::move(More);
  }
  return Results.size();
}

/// Without those that constraintsOf() takes away.
static uint64_t combinations(const SpaceFacts &Facts, const Draft &D) {
  uint64_t Product = SaturatingMultiply<uint64_t>(D.Blocks.size(), waysToResults(Facts, D));
  for (const DefineSpec &Define : Facts.Defines)
    Product = SaturatingMultiply<uint64_t>(Product, Define.Values.size());
  for (const OfferedChoice &C : D.Offer.Choices)
    if (!C.MultipliesResults)
      Product = SaturatingMultiply<uint64_t>(Product, C.Values.size());
  return Product;
}

static std::vector<Expression> constraintsOf(const SpaceFacts &Facts, const Draft &D) {
  SmallVector<std::string, 4> Factors;
  for (const OfferedChoice &C : D.Offer.Choices)
    if (C.MultipliesResults)
      Factors.push_back(C.Name);
  if (Factors.empty())
    return {};
  std::string Most = std::to_string(mostResults(Facts));
  return {cantFail(Expression::parse(join(Factors, " * ") + " <= " + Most))};
}

static void fitGrids(const SpaceFacts &Facts, Variant &V) {
  std::optional<LaunchGrids> Grids = Facts.GridsOf(V);
  if (!Grids)
    return;
  for (PassElement &Element : V.Pipeline)
    if (const PassDescription *Pass = findPass(Element.Name); Pass && Pass->FitGrids)
      Pass->FitGrids(Element, *Grids);
}

Space deriveSpace(const SpaceFacts &Facts, uint64_t MaxVariants) {
  Draft D;
  std::optional<uint64_t> Unshortened;
  for (unsigned Step = 0; Step != SpaceSteps; ++Step) {
    D = draftOf(Facts, Step);
    uint64_t Combinations = combinations(Facts, D);
    if (Combinations <= MaxVariants)
      break;
    Unshortened = Unshortened.value_or(Combinations);
  }
  std::vector<Expression> Constraints = constraintsOf(Facts, D);
  std::vector<std::unique_ptr<Dimension>> Dimensions;
  for (const DefineSpec &Define : Facts.Defines)
    if (Define.Values.size() > 1)
      Dimensions.push_back(makeDefineDimension(Define));
  if (D.Blocks.size() > 1)
    Dimensions.push_back(makeBlockDimension(std::move(D.Blocks)));
  for (OfferedChoice &C : D.Offer.Choices)
    Dimensions.push_back(makeParameterDimension(std::move(C.Name), std::move(C.Values)));
  Space Derived(std::move(D.Offer.Elements), std::move(Dimensions), std::move(Constraints), {});
  if (Unshortened)
    Derived.shortenedFrom(*Unshortened);
  if (Facts.GridsOf)
    Derived.finishWith([Facts](Variant &V) { fitGrids(Facts, V); });
  return Derived;
}

} // namespace gpuprune
