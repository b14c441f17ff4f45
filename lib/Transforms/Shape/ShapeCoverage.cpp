//===- ShapeCoverage.cpp - Whether one launch may stand for another ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ShapeControl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuprune {

StringRef shapeObstacleName(ShapeObstacleKind Kind) {
  switch (Kind) {
#define GPUPRUNE_SHAPE_OBSTACLE(NAME, WHY)                                                                   \
  case ShapeObstacleKind::NAME:                                                                              \
    return #NAME;
#include "gpuprune/Transforms/ShapeObstacles.def"
  }
  return "";
}

StringRef whyShapeObstacle(ShapeObstacleKind Kind) {
  switch (Kind) {
#define GPUPRUNE_SHAPE_OBSTACLE(NAME, WHY)                                                                   \
  case ShapeObstacleKind::NAME:                                                                              \
    return WHY;
#include "gpuprune/Transforms/ShapeObstacles.def"
  }
  return "";
}

std::string ShapeObstacle::message() const {
  std::string Where = Line ? formatv("line {0}", Line).str() : "";
  if (!What.empty())
    Where += (Where.empty() ? "" : ": ") + What;
  return formatv("{0}: {1}{2}", shapeObstacleName(Kind), whyShapeObstacle(Kind),
                 Where.empty() ? "" : " (" + Where + ")");
}

/// What an index of \p Bits bits holds.
static int64_t largest(unsigned Bits, bool Signed) {
  return Bits >= 64 ? INT64_MAX : int64_t(maskTrailingOnes<uint64_t>(Signed ? Bits - 1 : Bits));
}

/// Below this no index of 32 bits wraps, signed or not.
static constexpr int64_t Narrowest = INT32_MAX;

std::optional<int64_t> IndexGuard::bound(const LaunchNumbers &Launch, int64_t Threads) const {
  std::optional<APInt> Base = Offset.evaluate(Launch), Limit = Bound.evaluate(Launch);
  if (!Base || !Limit || (Narrow && Threads > Narrowest))
    return std::nullopt;
  int64_t First = Base->getSExtValue();
  int64_t End = Signed ? Limit->getSExtValue() : int64_t(Limit->getLimitedValue(INT64_MAX));
  std::optional<int64_t> Last = checkedMulAdd<int64_t>(int64_t(Factor), Threads - 1, First);
  if (!Last || *Last > largest(IndexBits, IndexSigned))
    return std::nullopt;
  // Where Offset is negative and unsigned, small G wrap to large indices: those that
  // pass are below the bound as well, as Bound is not negative.
  std::optional<int64_t> Above = Inclusive ? checkedAdd<int64_t>(End, 1) : End;
  std::optional<int64_t> Distance = Above ? checkedSub<int64_t>(*Above, First) : std::nullopt;
  if (!Distance)
    return std::nullopt;
  return *Distance <= 0 ? 0 : int64_t(divideCeil(uint64_t(*Distance), Factor));
}

namespace {

/// One launch in place of another.
class Comparison {
public:
  Comparison(const BlockShapeFreedom &Freedom, const LaunchNumbers &Author, const LaunchNumbers &Other)
      : Freedom(Freedom), Author(Author), Other(Other) {}

  std::optional<ShapeObstacle> dimension(unsigned D) const;
  std::optional<ShapeObstacle> place(const OwnPlace &Place) const;

private:
  const BlockShapeFreedom &Freedom;
  const LaunchNumbers &Author, &Other;

  std::optional<ShapeObstacle> otherExtent(unsigned D, int64_t Threads, int64_t OtherThreads) const;
  bool areApart(const OwnPlace &Place, const LaunchNumbers &Launch) const;
  std::optional<int64_t> indices(const OwnPlace &Place, unsigned D, const LaunchNumbers &Launch) const;
};

} // namespace

static ShapeObstacle inNumbers(ShapeObstacleKind Kind, std::string What) {
  return {Kind, std::move(What), 0};
}

/// Of shapes whose grids have \p Threads and \p OtherThreads.
std::optional<ShapeObstacle> Comparison::otherExtent(unsigned D, int64_t Threads,
                                                     int64_t OtherThreads) const {
  const DimensionFreedom &Free = Freedom.Dimensions[D];
  if (Free.OtherExtent)
    return Free.OtherExtent;
  int64_t Most = std::max(Threads, OtherThreads), Fewest = std::min(Threads, OtherThreads);
  SmallVector<std::optional<int64_t>, 4> Bounds;
  for (const IndexGuard &Guard : Free.Guards)
    Bounds.push_back(Guard.bound(Author, Most));
  auto Sizes = [&] {
    return formatv("{0} threads in {1} and {2} by the author's block", OtherThreads, "xyz"[D], Threads).str();
  };
  for (const SmallVector<unsigned, 2> &Any : Free.Needed) {
    if (none_of(Any, [&](unsigned Guard) { return Bounds[Guard].has_value(); }))
      return inNumbers(ShapeObstacleKind::Wrap, Sizes());
    if (none_of(Any, [&](unsigned Guard) { return Bounds[Guard] && *Bounds[Guard] <= Fewest; }))
      return inNumbers(ShapeObstacleKind::Coverage, Sizes());
  }
  for (const IndexGuard &Loop : Free.Loops) {
    // The index that ends the loop is one step beyond the last below the bound; the first one may be
    // that far beyond G.
    std::optional<int64_t> End = Loop.bound(Author, Most);
    std::optional<int64_t> Room = checkedAdd<int64_t>(Most, LargestStart);
    std::optional<int64_t> Last = End && Room ? checkedAdd<int64_t>(*End, *Room) : std::nullopt;
    unsigned Bits = Loop.Narrow ? std::min(32u, Loop.IndexBits) : Loop.IndexBits;
    if (!Last || *Last > largest(Bits, true))
      return inNumbers(ShapeObstacleKind::Wrap, Sizes());
  }
  return std::nullopt;
}

std::optional<ShapeObstacle> Comparison::dimension(unsigned D) const {
  const DimensionFreedom &Free = Freedom.Dimensions[D];
  if (Free.Never)
    return Free.Never;
  std::optional<int64_t> Threads = Author.extent(D), OtherThreads = Other.extent(D);
  if (!Threads || !OtherThreads || (Free.MustNotWrap && (*Threads > Narrowest || *OtherThreads > Narrowest)))
    return inNumbers(ShapeObstacleKind::Wrap, formatv("the grid's extent in {0}", "xyz"[D]));
  return *Threads == *OtherThreads ? std::nullopt : otherExtent(D, *Threads, *OtherThreads);
}

/// How many values the index of \p D has at \p Place, from 0.
std::optional<int64_t> Comparison::indices(const OwnPlace &Place, unsigned D,
                                           const LaunchNumbers &Launch) const {
  std::optional<int64_t> Threads = Launch.extent(D);
  if (!Threads || (Place.Narrow && *Threads > Narrowest))
    return std::nullopt;
  const DimensionFreedom &Free = Freedom.Dimensions[D];
  if (Place.Loops[D])
    return Free.Loops[*Place.Loops[D]].bound(Launch, *Threads);
  for (unsigned Guard : Place.Guards[D])
    if (std::optional<int64_t> Bound = Free.Guards[Guard].bound(Launch, *Threads))
      Threads = std::min(*Threads, *Bound);
  return Threads;
}

/// Whether different threads have different places: a number with digits of mixed radix.
bool Comparison::areApart(const OwnPlace &Place, const LaunchNumbers &Launch) const {
  SmallVector<std::pair<int64_t, int64_t>, 3> Digits; // Weight and largest digit.
  for (unsigned D = 0; D < Dim3::size(); ++D) {
    std::optional<int64_t> Indices = indices(Place, D, Launch);
    if (!Indices)
      return false;
    if (*Indices <= 1)
      continue;
    std::optional<APInt> Factor = Place.Factors[D] ? Place.Factors[D]->evaluate(Launch) : std::nullopt;
    if (!Factor || Factor->isMinSignedValue())
      return false;
    Digits.push_back({Factor->abs().getSExtValue(), *Indices - 1});
  }
  llvm::sort(Digits);
  int64_t Below = 0, Needed = int64_t(divideCeil(Place.Span, Place.Scale));
  for (auto [Weight, Digit] : Digits) {
    std::optional<int64_t> Next = checkedMulAdd<int64_t>(Weight, Digit, Below);
    if (!Next || Weight - Below < Needed)
      return false;
    Below = *Next;
  }
  return Below <= largest(Place.Bits, true) - Needed;
}

std::optional<ShapeObstacle> Comparison::place(const OwnPlace &Place) const {
  return areApart(Place, Author) && areApart(Place, Other) ? std::nullopt : std::optional(Place.Otherwise);
}

static std::optional<ShapeObstacle> beyondBound(const BlockShapeFreedom &Freedom, const Dim3 &Block) {
  if (!Freedom.MostThreads || Block.volume() <= double(*Freedom.MostThreads))
    return std::nullopt;
  return inNumbers(ShapeObstacleKind::LaunchBound,
                   formatv("at most {0} threads per block", *Freedom.MostThreads));
}

std::optional<ShapeObstacle> BlockShapeFreedom::whyNot(const LaunchNumbers &Author,
                                                       const LaunchNumbers &Other,
                                                       std::array<bool, 3> Promised) const {
  Comparison Compare(*this, Author, Other);
  bool Asked = false;
  for (unsigned D = 0; D < Dim3::size(); ++D) {
    if (Promised[D] || (Author.Grid[D] == Other.Grid[D] && Author.Block[D] == Other.Block[D]))
      continue;
    Asked = true;
    if (std::optional<ShapeObstacle> Found = Compare.dimension(D))
      return Found;
  }
  if (Asked && (Author.Scalars != Other.Scalars || Author.Structures != Other.Structures))
    return inNumbers(ShapeObstacleKind::BlockArgument, "");
  for (const OwnPlace &Place : Places)
    if (std::optional<ShapeObstacle> Found = Asked ? Compare.place(Place) : std::nullopt)
      return Found;
  return Asked ? beyondBound(*this, Other.Block) : std::nullopt;
}

std::optional<ShapeObstacle> BlockShapeFreedom::whyNotAsManyThreads(const Dim3 &Author,
                                                                    const Dim3 &Other) const {
  for (unsigned D = 0; D < Dim3::size(); ++D)
    if (Author[D] != Other[D] && Dimensions[D].Never)
      return Dimensions[D].Never;
  return beyondBound(*this, Other);
}

} // namespace gpuprune
