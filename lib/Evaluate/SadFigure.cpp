//===- SadFigure.cpp - Figure 4 ------------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FigureParts.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace llvm;

namespace gpuprune {

std::optional<SvgDrawing> drawSadTimes(const RyooSpace &Space) {
  MapVector<StringRef, std::map<double, double>> Lines; // By pipeline: times by threads.
  std::vector<std::string> Pipelines(Space.Rows.size());
  double MostThreads = 0;
  for (size_t Row : Space.Measured) {
    Pipelines[Row] = printPipeline(Space.Rows[Row].Parts.Pipeline);
    double Threads = Space.Rows[Row].Launch.Block.volume();
    MostThreads = std::max(MostThreads, Threads);
    Lines[Pipelines[Row]].try_emplace(Threads, Space.timeOf(Row));
  }
  Lines.remove_if([](const auto &Line) { return Line.second.size() < 2; });
  if (Lines.empty())
    return std::nullopt;
  SvgDrawing Drawing(800, 460);
  PlotAxis X{"threads per block", MostThreads + 32, 0, false, {}};
  for (unsigned Threads = 32; Threads <= MostThreads; Threads += 32)
    X.Ticks.push_back({double(Threads), std::to_string(Threads)});
  PlotArea Area(Drawing, {70, 40}, {700, 360},
                formatv("SAD, {0} configurations", Space.Measured.size()).str(), X,
                PlotAxis::upTo(Space.timeOf(Space.Worst), "time (ms)"));
  for (const auto &[Pipeline, Times] : Lines) {
    std::vector<PlotPoint> Points;
    for (auto [Threads, Ms] : Times)
      Points.push_back(Area.at(Threads, Ms));
    Drawing.line(Points, DotColour, 0.7);
  }
  ringBest(Drawing, Area.at(Space.Rows[Space.Best].Launch.Block.volume(), Space.timeOf(Space.Best)));
  return Drawing;
}

} // namespace gpuprune
