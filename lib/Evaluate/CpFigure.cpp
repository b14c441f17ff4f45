//===- CpFigure.cpp - Figure 5 -------------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FigureParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <tuple>

using namespace llvm;

namespace gpuprune {

namespace {
/// Rows by results per thread.
using TilingRows = std::map<double, size_t>;
} // namespace

/// Those whose blocks have the same shape in the launch, of the shape with the most of them.
static TilingRows rowsByTiling(const RyooSpace &Space) {
  std::map<std::tuple<int64_t, int64_t, int64_t>, TilingRows> ByBlock;
  for (size_t Row : Space.Measured) {
    const VariantResult &R = Space.Rows[Row];
    const PassElement *Coarsen = findPass(R.Parts, "gpu-thread-coarsen");
    if (R.Parts.Pipeline.size() > (Coarsen ? 1 : 0) ||
        (Coarsen && Coarsen->value("stride") == StringRef("consecutive")))
      continue;
    double Results = Coarsen ? numberOr(Coarsen->value("factor"), 1) : 1;
    const Dim3 &Block = R.Launch.Block;
    ByBlock[{Block.X, Block.Y, Block.Z}].try_emplace(Results, Row);
  }
  TilingRows Most;
  for (const auto &[Block, Rows] : ByBlock)
    if (Rows.size() > Most.size())
      Most = Rows;
  return Most;
}

std::optional<SvgDrawing> drawCpTiling(const RyooSpace &Space) {
  TilingRows Rows = rowsByTiling(Space);
  if (Rows.size() < 2)
    return std::nullopt;
  std::vector<double> Factors;
  std::vector<PlotPoint> Times, Efficiencies, Utilizations;
  double Longest = 0, MostEfficient = 0, MostUtilized = 0;
  for (auto [Factor, Row] : Rows) {
    Factors.push_back(Factor);
    Longest = std::max(Longest, Space.timeOf(Row));
    MostEfficient = std::max(MostEfficient, Space.Points[Row].Efficiency);
    MostUtilized = std::max(MostUtilized, Space.Points[Row].Utilization);
  }
  double Worst = 1;
  for (auto [Factor, Row] : Rows) {
    Times.push_back({Factor, Space.timeOf(Row)});
    Efficiencies.push_back({Factor, MostEfficient / Space.Points[Row].Efficiency});
    Utilizations.push_back({Factor, MostUtilized / Space.Points[Row].Utilization});
    Worst = std::max({Worst, Efficiencies.back().Y, Utilizations.back().Y});
  }
  const Dim3 &Block = Space.Rows[Rows.begin()->second].Launch.Block;
  PlotAxis X = PlotAxis::logarithmic(Factors, "tiling factor");
  SvgDrawing Drawing(800, 400);
  PlotArea Metrics(Drawing, {70, 60}, {300, 270}, "Metrics", X,
                   PlotAxis::upTo(Worst, "relative to the best"));
  PlotArea Time(Drawing, {470, 60}, {300, 270},
                formatv("Execution time, {0} threads per block", unsigned(Block.volume())).str(), X,
                PlotAxis::upTo(Longest, "time (ms)"));
  for (auto [Area, Points, Colour] : {std::tuple(&Metrics, &Efficiencies, ParetoColour),
                                      {&Metrics, &Utilizations, BestColour},
                                      {&Time, &Times, StringLiteral("#000000")}}) {
    Drawing.line(Area->at(*Points), Colour, 1.5);
    for (PlotPoint Point : *Points)
      Drawing.dot(Area->at(Point.X, Point.Y), 3, Colour);
  }
  Drawing.text({80, 24}, "1/Efficiency", TextAnchor::Start, ParetoColour);
  Drawing.text({180, 24}, "1/Utilization", TextAnchor::Start, BestColour);
  return Drawing;
}

} // namespace gpuprune
