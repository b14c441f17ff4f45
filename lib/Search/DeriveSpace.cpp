//===- DeriveSpace.cpp - A space from what a kernel looks like ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Device/CommonLimits.h"
#include "gpuprune/Search/Space.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuprune {

namespace {

using Values = std::vector<std::string>;

/// The values offered, longest menu first.
struct Menu {
  Values Factors;
  Values ThreadFactors;          ///< Threads that become one, `1` first.
  Values Prefetches;             ///< Where what is read ahead waits.
  std::vector<uint64_t> Unrolls; ///< Besides `none` and, where the trip count is a constant, `full`.
  Values RegisterCaps;
  size_t Blocks;        ///< Block shapes at most, the author's counted.
  bool OneUnrollForAll; ///< All loops share one factor.
};

/// A dimension in the making: a placeholder and its values.
struct Choice {
  std::string Name;
  Values Texts;
};

struct Draft {
  std::vector<PassElement> Pipeline;
  std::vector<Choice> Choices;
  std::vector<std::optional<Dim3>> Blocks;
};

} // namespace

/// Longer loops, unrolled fully, only overflow the instruction cache.
static constexpr uint64_t LongestFullUnroll = 128;

static ArrayRef<Menu> menus() {
  static const Values InRegisters = {"none", "register"}, Anywhere = {"none", "register", "shared-async"};
  static const Menu All[] = {
      {{"1", "2", "4", "8"}, {"1", "2", "4"}, Anywhere, {1, 2, 4, 8}, {"none", "64", "128"}, 7, false},
      {{"1", "2", "4", "8"}, {"1", "2", "4"}, Anywhere, {1, 4}, {"none", "64", "128"}, 7, false},
      {{"1", "2", "4", "8"}, {"1", "4"}, InRegisters, {1, 4}, {"none", "64", "128"}, 4, false},
      {{"1", "2", "4", "8"}, {"1", "4"}, InRegisters, {1, 4}, {"none", "64", "128"}, 4, true},
      {{"1", "2", "4", "8"}, {"1"}, InRegisters, {1, 4}, {"none"}, 4, true},
      {{"1", "2", "4"}, {"1"}, InRegisters, {4}, {"none"}, 3, true},
      {{"1", "4"}, {"1"}, {"none"}, {4}, {"none"}, 1, true},
  };
  return All;
}

/// Loops that hold no other: in source order, the next one is not deeper.
static SmallVector<LoopFacts> innermostLoops(ArrayRef<LoopFacts> Loops) {
  SmallVector<LoopFacts> Result;
  for (size_t I = 0; I != Loops.size(); ++I)
    if (I + 1 == Loops.size() || Loops[I + 1].Depth <= Loops[I].Depth)
      Result.push_back(Loops[I]);
  return Result;
}

/// `none` leaves the loop to the compiler; a factor of the whole trip count is `full`.
static Values unrollsOf(const Menu &M, std::optional<uint64_t> TripCount) {
  Values Result = {"none"};
  for (uint64_t Factor : M.Unrolls)
    if (!TripCount || Factor < *TripCount)
      Result.push_back(std::to_string(Factor));
  if (TripCount && *TripCount <= LongestFullUnroll)
    Result.push_back("full");
  return Result;
}

static void addCoarsening(const KernelFacts &Facts, const Menu &M, Draft &D) {
  PassElement Coarsen{"gpu-block-coarsen", {}};
  for (unsigned Dimension = 0; Dimension != 3; ++Dimension) {
    if (!Facts.GridUsed[Dimension])
      continue;
    std::string Name(1, "xyz"[Dimension]);
    Coarsen.Parameters.push_back({Name, "{" + Name + "}"});
    D.Choices.push_back({Name, M.Factors});
  }
  if (Coarsen.Parameters.empty())
    return;
  if (Facts.HasSharedArrays) {
    Coarsen.Parameters.push_back({"shared", "{shared}"});
    D.Choices.push_back({"shared", {"grouped", "blocked"}});
  }
  D.Pipeline.push_back(std::move(Coarsen));
}

/// Both coarsenings alike: what the threads of a warp do of a ragged loop decides, not which pass joined
/// them.
static void addLoopOrder(const KernelFacts &Facts, Draft &D) {
  bool Any = false;
  for (PassElement &Element : D.Pipeline)
    if (Facts.HasRaggedLoops && is_contained({"gpu-thread-coarsen", "gpu-block-coarsen"}, Element.Name)) {
      Element.Parameters.push_back({"loops", "{loops}"});
      Any = true;
    }
  if (Any)
    D.Choices.push_back({"loops", {"none", "apart"}});
}

/// All tables in the same memory.
static void addMemory(const KernelFacts &Facts, Draft &D) {
  for (const std::string &Table : Facts.Tables)
    D.Pipeline.push_back({"gpu-memory", {{"symbol", Table}, {"space", "{memory}"}}});
  if (!Facts.Tables.empty())
    D.Choices.push_back({"memory", {"none", "readonly"}});
  for (const UniformTable &Table : Facts.Uniform)
    D.Pipeline.push_back({"gpu-memory",
                          {{"arg", std::to_string(Table.Argument)},
                           {"space", "{table}"},
                           {"bytes", std::to_string(Table.Bytes)}}});
  if (!Facts.Uniform.empty())
    D.Choices.push_back({"table", {"none", "constant"}});
}

/// A block of several rows loses rows, so that its warps read as they did; one row,
/// if it is long enough, gets threads that are neighbours or far apart.
static void addThreadCoarsening(const KernelFacts &Facts, const Menu &M, Draft &D) {
  static constexpr int64_t FewestRows = 4, ShortestRow = 128;
  bool Rows = Facts.Block[1] >= FewestRows && Facts.Block[1] % FewestRows == 0;
  bool Row = Facts.Block[0] >= ShortestRow && Facts.Block[0] % ShortestRow == 0;
  if (Facts.DependsOnWarps || M.ThreadFactors.size() < 2 || !(Rows || Row))
    return;
  D.Choices.push_back({"threads", M.ThreadFactors});
  if (Rows) {
    D.Pipeline.push_back({"gpu-thread-coarsen", {{"dim", "y"}, {"factor", "{threads}"}}});
    return;
  }
  D.Pipeline.push_back({"gpu-thread-coarsen",
                        {{"dim", "x"}, {"factor", "{threads}"}, {"stride", "{stride}"}, {"align", "16"}}});
  D.Choices.push_back({"stride", {"block", "consecutive"}});
}

/// All loops by one iteration, all to the same place.
static void addPrefetches(const KernelFacts &Facts, const Menu &M, Draft &D) {
  if (M.Prefetches.size() < 2)
    return;
  for (const LoopFacts &Loop : Facts.Loops)
    if (Loop.ReadsTile)
      D.Pipeline.push_back({"gpu-prefetch", {{"loop", std::to_string(Loop.Number)}, {"to", "{prefetch}"}}});
  if (any_of(Facts.Loops, [](const LoopFacts &Loop) { return Loop.ReadsTile; }))
    D.Choices.push_back({"prefetch", M.Prefetches});
}

/// The loops next to the innermost ones, all by the same factor.
static void addJams(const KernelFacts &Facts, Draft &D) {
  bool Any = false;
  for (size_t I = 0; I != Facts.Loops.size(); ++I) {
    // In source order, what a loop holds follows it and is deeper.
    auto Inner = [&](size_t J) {
      return J < Facts.Loops.size() && Facts.Loops[J].Depth > Facts.Loops[I].Depth;
    };
    bool HoldsOther = false;
    for (size_t J = I + 1; Inner(J); ++J)
      HoldsOther |= Facts.Loops[J].Jams;
    if (!Facts.Loops[I].Jams || HoldsOther)
      continue;
    D.Pipeline.push_back(
        {"gpu-unroll-and-jam", {{"loop", std::to_string(Facts.Loops[I].Number)}, {"factor", "{jam}"}}});
    Any = true;
  }
  if (Any)
    D.Choices.push_back({"jam", {"none", "2", "4"}});
}

static void addUnrolls(const KernelFacts &Facts, const Menu &M, Draft &D) {
  SmallVector<LoopFacts> Loops = innermostLoops(Facts.Loops);
  bool Shared = M.OneUnrollForAll && Loops.size() > 1;
  for (const LoopFacts &Loop : Loops) {
    std::string Number = std::to_string(Loop.Number);
    std::string Name = Shared ? "unroll" : "unroll" + Number;
    D.Pipeline.push_back({"gpu-unroll", {{"loop", Number}, {"factor", "{" + Name + "}"}}});
    if (!Shared)
      D.Choices.push_back({Name, unrollsOf(M, Loop.TripCount)});
  }
  // Trip counts differ, so neither `full` nor an upper bound is common to all.
  if (Shared)
    D.Choices.push_back({"unroll", unrollsOf(M, std::nullopt)});
}

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

static bool isChoice(const KernelFacts &Facts, const Dim3 &Shape) {
  if (Shape == Facts.Block)
    return false;
  for (unsigned D = 0; D != Dim3::size(); ++D)
    if (!Facts.BlockFree[D] && Shape[D] != Facts.Block[D])
      return false;
  return !Facts.TakesBlock || Facts.TakesBlock(Shape);
}

/// The author's block, and others where the launch follows the block. Shapes that use
/// all free dimensions come first.
static std::vector<std::optional<Dim3>> blocksOf(const KernelFacts &Facts, const Menu &M) {
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
      if (Result.size() < M.Blocks && isChoice(Facts, Shape) && UsesAll(Shape) == All)
        Result.push_back(Shape);
  return Result;
}

static Draft draftOf(const KernelFacts &Facts, const Menu &M) {
  Draft D;
  D.Blocks = blocksOf(Facts, M);
  addMemory(Facts, D);
  addThreadCoarsening(Facts, M, D);
  addCoarsening(Facts, M, D);
  addLoopOrder(Facts, D);
  addPrefetches(Facts, M, D);
  addJams(Facts, D);
  addUnrolls(Facts, M, D);
  if (M.RegisterCaps.size() > 1) {
    D.Pipeline.push_back({"gpu-registers", {{"max", "{registers}"}}});
    D.Choices.push_back({"registers", M.RegisterCaps});
  }
  return D;
}

/// Whether a thread has as many times the results.
static bool multipliesResults(const Choice &C) { return is_contained({"x", "y", "z", "threads"}, C.Name); }

/// Results a thread at most: as many accumulators need as many registers. What many results share is read
/// once for all of them; without that, more results only take registers.
static uint64_t mostResults(const KernelFacts &Facts) {
  return Facts.HasSharedArrays || Facts.ReusesLoads ? 64 : 16;
}

/// Ways to give a thread no more results than that.
static uint64_t waysToResults(const KernelFacts &Facts, const Draft &D) {
  std::vector<uint64_t> Results = {1};
  for (const Choice &C : D.Choices) {
    if (!multipliesResults(C))
      continue;
    std::vector<uint64_t> More;
    for (const std::string &Text : C.Texts) {
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
static uint64_t combinations(const KernelFacts &Facts, const Draft &D) {
  uint64_t Product = SaturatingMultiply<uint64_t>(D.Blocks.size(), waysToResults(Facts, D));
  for (const DefineSpec &Define : Facts.Defines)
    Product = SaturatingMultiply<uint64_t>(Product, Define.Values.size());
  for (const Choice &C : D.Choices)
    if (!multipliesResults(C))
      Product = SaturatingMultiply<uint64_t>(Product, C.Texts.size());
  return Product;
}

static std::vector<Expression> constraintsOf(const KernelFacts &Facts, const Draft &D) {
  SmallVector<std::string, 4> Factors;
  for (const Choice &C : D.Choices)
    if (multipliesResults(C))
      Factors.push_back(C.Name);
  if (Factors.empty())
    return {};
  std::string Most = std::to_string(mostResults(Facts));
  return {cantFail(Expression::parse(join(Factors, " * ") + " <= " + Most))};
}

/// By what \p Coarsen divides the grid.
static Dim3 gridDivisor(const PassElement &Coarsen) {
  Dim3 Divisor;
  for (unsigned D = 0; D != Dim3::size(); ++D)
    if (std::optional<StringRef> Factor = Coarsen.value(StringRef("xyz").substr(D, 1)))
      Factor->getAsInteger(10, Divisor[D]);
  return Divisor;
}

static bool divides(const Dim3 &Divisor, const Dim3 &Grid) {
  return Grid.X % Divisor.X == 0 && Grid.Y % Divisor.Y == 0 && Grid.Z % Divisor.Z == 0;
}

/// A variant that could not be launched at the size to tune, or be checked at none, takes
/// any grid; the others do without the guard.
static void takeAnyGrid(const KernelFacts &Facts, Variant &V) {
  std::optional<LaunchGrids> Grids = Facts.GridsOf(V);
  if (!Grids)
    return;
  for (PassElement &Element : V.Pipeline) {
    if (Element.Name != "gpu-block-coarsen")
      continue;
    Dim3 Divisor = gridDivisor(Element);
    auto Divides = [&](const Dim3 &Grid) { return divides(Divisor, Grid); };
    if (!Divides(Grids->Tune) || (!Grids->Checks.empty() && none_of(Grids->Checks, Divides)))
      Element.Parameters.push_back({"grid", "any"});
  }
}

Space deriveSpace(const KernelFacts &Facts, uint64_t MaxVariants) {
  Draft D;
  for (const Menu &M : menus()) {
    D = draftOf(Facts, M);
    if (combinations(Facts, D) <= MaxVariants)
      break;
  }
  std::vector<Expression> Constraints = constraintsOf(Facts, D);
  std::vector<std::unique_ptr<Dimension>> Dimensions;
  for (const DefineSpec &Define : Facts.Defines)
    if (Define.Values.size() > 1)
      Dimensions.push_back(makeDefineDimension(Define));
  if (D.Blocks.size() > 1)
    Dimensions.push_back(makeBlockDimension(std::move(D.Blocks)));
  for (Choice &C : D.Choices)
    Dimensions.push_back(makeParameterDimension(std::move(C.Name), std::move(C.Texts)));
  Space Derived(std::move(D.Pipeline), std::move(Dimensions), std::move(Constraints), {});
  if (Facts.GridsOf)
    Derived.finishWith([Facts](Variant &V) { takeAnyGrid(Facts, V); });
  return Derived;
}

} // namespace gpuprune
