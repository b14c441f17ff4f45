//===- OccupancyFigure.cpp - Figure 3 of Liang et al. --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FigureParts.h"
#include "gpuprune/Evaluate/LiangFigures.h"
#include "gpuprune/Search/OccupancySearch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <limits>
#include <set>
#include <tuple>

using namespace llvm;

namespace gpuprune {

std::optional<SvgDrawing> drawOccupancyPareto(const LiangLaunch &Launch, StringRef Title) {
  if (Launch.Pareto.empty())
    return std::nullopt;
  const OccupancyLimits Limits;
  double MostCycles = 0, LeastCycles = std::numeric_limits<double>::infinity();
  for (size_t Row : Launch.Measured)
    if (std::optional<double> Cycles = Launch.Rows[Row].Scheduled.Cycles) {
      MostCycles = std::max(MostCycles, *Cycles);
      LeastCycles = std::min(LeastCycles, *Cycles);
    }
  PlotAxis Y = PlotAxis::around(LeastCycles, MostCycles, "C: cycles of one thread");
  SvgDrawing Drawing(760, 460);
  PlotArea Area(Drawing, {80, 50}, {650, 340}, Title,
                PlotAxis::upTo(Limits.ThreadsPerSM, "T: threads that an SM has room for"), Y);
  for (double Occupancy : {PublishedFilter.From, PublishedFilter.To}) {
    double T = Limits.ThreadsPerSM * (1 - Occupancy);
    Drawing.line({Area.at(T, Y.From), Area.at(T, Y.To)}, BestColour, 0.5);
  }
  std::set<std::tuple<std::string, std::string, std::string>> Drawn;
  auto Dot = [&](size_t Row, double Radius, StringRef Colour) {
    std::optional<PerformanceOccupancy> PO = performanceOccupancy(Launch.Rows[Row], Limits);
    if (!PO)
      return;
    PlotPoint At = Area.at(PO->Threads, PO->Cycles);
    if (Drawn.insert({Colour.str(), formatv("{0:f1}", At.X), formatv("{0:f1}", At.Y)}).second)
      Drawing.dot(At, Radius, Colour);
  };
  for (size_t Row : Launch.Measured)
    if (!is_contained(Launch.Pareto, Row))
      Dot(Row, 2, ParetoColour);
  for (size_t Row : Launch.Pareto)
    Dot(Row, 3.5, BestColour);
  if (std::optional<PerformanceOccupancy> PO = performanceOccupancy(Launch.Rows[Launch.Best], Limits))
    ringBest(Drawing, Area.at(PO->Threads, PO->Cycles));
  return Drawing;
}

} // namespace gpuprune
