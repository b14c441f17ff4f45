//===- PlaneFigure.cpp - Figure 6 ----------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FigureParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace llvm;

namespace gpuprune {

static PlotAxis relativeAxis(StringRef Label) { return PlotAxis::upTo(1, Label); }

static void drawPlane(SvgDrawing &Drawing, PlotPoint Corner, StringRef Title, const RyooSpace &Space) {
  PlotArea Area(Drawing, Corner, {340, 280}, Title, relativeAxis("Utilization, relative"),
                relativeAxis("Efficiency, relative"));
  double MostEfficient = 0, MostUtilized = 0;
  for (size_t Row : Space.Measured) {
    MostEfficient = std::max(MostEfficient, Space.Points[Row].Efficiency);
    MostUtilized = std::max(MostUtilized, Space.Points[Row].Utilization);
  }
  auto Place = [&](size_t Row) {
    return PlotPoint{Space.Points[Row].Utilization / MostUtilized,
                     Space.Points[Row].Efficiency / MostEfficient};
  };
  std::set<std::pair<std::string, std::string>> Drawn;
  for (size_t Row : Space.Measured) {
    PlotPoint At = Area.at(Place(Row).X, Place(Row).Y);
    if (Drawn.insert({formatv("{0:f1}", At.X), formatv("{0:f1}", At.Y)}).second)
      Drawing.dot(At, 2.5, DotColour);
  }
  std::vector<PlotPoint> Front;
  for (size_t Row : Space.Selected)
    Front.push_back(Place(Row));
  llvm::sort(Front, [](PlotPoint A, PlotPoint B) { return std::pair(A.X, -A.Y) < std::pair(B.X, -B.Y); });
  Drawing.line(Area.at(Front), ParetoColour, 1.5);
  for (PlotPoint Point : Area.at(Front))
    Drawing.dot(Point, 3, ParetoColour);
  ringBest(Drawing, Area.at(Place(Space.Best).X, Place(Space.Best).Y));
}

SvgDrawing drawMetricPlanes(ArrayRef<RyooSpace> Spaces) {
  SvgDrawing Drawing(900, 60 + 380 * unsigned(divideCeil(Spaces.size(), 2)));
  for (auto [Index, Space] : enumerate(Spaces)) {
    size_t Column = Index % 2, Line = Index / 2;
    PlotPoint Corner{80 + 450 * double(Column), 50 + 380 * double(Line)};
    drawPlane(Drawing, Corner, formatv("({0}) {1}", char('a' + Index), Space.Application->Title).str(),
              Space);
  }
  return Drawing;
}

} // namespace gpuprune
