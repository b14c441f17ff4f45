//===- MatmulFigure.cpp - Figure 3 ---------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FigureParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <map>
#include <tuple>

using namespace llvm;

namespace gpuprune {

/// Of bars beside each other.
static constexpr StringLiteral BarColours[] = {"#1f3b57", "#4f86b8", "#e08a3c", "#b8b8b8"};

namespace {

/// A group of bars: tile, results in x, whether it prefetches.
using BarGroup = std::tuple<double, double, bool>;

struct Bar {
  BarGroup Group;
  double Unroll = 1; ///< Infinite where the loop is unrolled completely.
  size_t Row = 0;
};

struct BarChart {
  std::vector<Bar> Bars;
  std::map<BarGroup, size_t> Groups; ///< Their places from left to right.
  std::map<double, size_t> Unrolls;  ///< The place of each factor in a group.
  double Longest = 0;
};

} // namespace

static double tileOf(const Variant &V) {
  for (const DefineSetting &D : V.Defines)
    if (D.Name == "TILE")
      return numberOr(StringRef(D.Value), 16);
  return 16;
}

/// Nothing for a variant with a choice that Figure 3 does not have.
static std::optional<Bar> barOf(const Variant &V, size_t Row) {
  double Wide = 1;
  if (const PassElement *Coarsen = findPass(V, "gpu-block-coarsen")) {
    if (Coarsen->value("y"))
      return std::nullopt;
    Wide = numberOr(Coarsen->value("x"), 1);
  }
  const PassElement *Unroll = findPass(V, "gpu-unroll");
  if (!Unroll || findPass(V, "gpu-registers"))
    return std::nullopt;
  std::optional<StringRef> Factor = Unroll->value("factor");
  return Bar{{tileOf(V), Wide, findPass(V, "gpu-prefetch") != nullptr},
             Factor == StringRef("full") ? INFINITY : numberOr(Factor, 1),
             Row};
}

static BarChart chartOf(const RyooSpace &Space) {
  BarChart Chart;
  for (size_t Row : Space.Measured)
    if (std::optional<Bar> B = barOf(Space.Rows[Row].Parts, Row)) {
      Chart.Groups.try_emplace(B->Group, 0);
      Chart.Unrolls.try_emplace(B->Unroll, 0);
      Chart.Longest = std::max(Chart.Longest, Space.timeOf(Row));
      Chart.Bars.push_back(*B);
    }
  for (auto [Index, Group] : enumerate(Chart.Groups))
    Group.second = Index;
  for (auto [Index, Unroll] : enumerate(Chart.Unrolls))
    Unroll.second = Index;
  return Chart;
}

static void drawLegend(SvgDrawing &Drawing, const BarChart &Chart) {
  for (auto [Factor, Place] : Chart.Unrolls) {
    double X = 70 + 130 * double(Place);
    Drawing.bar({X, 20}, {X + 12, 30}, BarColours[Place]);
    Drawing.text({X + 17, 30},
                 std::isinf(Factor) ? "complete unroll" : formatv("unroll {0}", unsigned(Factor)).str());
  }
}

static void drawBars(SvgDrawing &Drawing, const PlotArea &Area, const BarChart &Chart,
                     const RyooSpace &Space) {
  double Width = 0.8 / double(Chart.Unrolls.size());
  for (const Bar &B : Chart.Bars) {
    size_t Place = Chart.Unrolls.at(B.Unroll);
    double Left = double(Chart.Groups.at(B.Group)) + 0.1 + Width * double(Place), Ms = Space.timeOf(B.Row);
    Drawing.bar(Area.at(Left, 0), Area.at(Left + Width, Ms), BarColours[Place]);
    if (B.Row == Space.Best)
      ringBest(Drawing, Area.at(Left + Width / 2, Ms));
  }
}

static void nameGroups(SvgDrawing &Drawing, const PlotArea &Area, const BarChart &Chart) {
  std::map<double, std::vector<double>> OfTile;
  double Bottom = Area.at(0, 0).Y;
  for (const auto &[Group, Place] : Chart.Groups) {
    auto [Tile, Wide, Prefetches] = Group;
    double X = Area.at(double(Place) + 0.5, 0).X;
    Drawing.text({X, Bottom + 16}, Prefetches ? "pre" : "-", TextAnchor::Middle);
    Drawing.text({X, Bottom + 32}, formatv("1x{0}", unsigned(Wide)).str(), TextAnchor::Middle);
    OfTile[Tile].push_back(X);
  }
  for (const auto &[Tile, Places] : OfTile)
    Drawing.text({(Places.front() + Places.back()) / 2, Bottom + 52},
                 formatv("{0}x{0} tiles", unsigned(Tile)).str(), TextAnchor::Middle);
  Drawing.text({70, Bottom + 80}, "pre: prefetching; 1x2: two results per thread side by side");
}

std::optional<SvgDrawing> drawMatmulTimes(const RyooSpace &Space) {
  BarChart Chart = chartOf(Space);
  if (Chart.Bars.empty() || Chart.Unrolls.size() > std::size(BarColours))
    return std::nullopt;
  SvgDrawing Drawing(1000, 470);
  PlotAxis Groups{"", double(Chart.Groups.size()), 0, false, {}};
  PlotArea Area(Drawing, {70, 60}, {900, 320}, "", Groups, PlotAxis::upTo(Chart.Longest, "time (ms)"));
  drawLegend(Drawing, Chart);
  drawBars(Drawing, Area, Chart, Space);
  nameGroups(Drawing, Area, Chart);
  return Drawing;
}

} // namespace gpuprune
