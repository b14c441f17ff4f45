//===- SearchBars.cpp - Figures 5 and 6 of Liang et al. ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Evaluate/LiangFigures.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace llvm;

namespace gpuprune {

/// Of es, ros, pos, posf and model-guided.
static constexpr StringLiteral SearchColours[] = {"#1f3b57", "#b8b8b8", "#4f86b8", "#8fc1a9", "#e08a3c"};

using SearchFigure = function_ref<double(const LiangSpace &, const LiangSearch &)>;

/// A group of bars for each application, a bar for each search.
static SvgDrawing drawSearchBars(ArrayRef<LiangSpace> Spaces, size_t FirstSearch, SearchFigure Value,
                                 const PlotAxis &Y) {
  static constexpr double Left = 70, GroupWidth = 140;
  SvgDrawing Drawing(unsigned(Left + GroupWidth * double(Spaces.size()) + 30), 420);
  PlotAxis Groups{"", double(Spaces.size()), 0, false, {}};
  PlotArea Area(Drawing, {Left, 60}, {GroupWidth * double(Spaces.size()), 300}, "", Groups, Y);
  double Bottom = 60 + 300;
  for (const auto &[Place, Space] : enumerate(Spaces)) {
    ArrayRef<LiangSearch> Searches = ArrayRef(Space.Searches).drop_front(FirstSearch);
    double Width = 0.8 / double(Searches.size());
    for (const auto &[Number, Search] : enumerate(Searches)) {
      double X = double(Place) + 0.1 + Width * double(Number), Height = Value(Space, Search);
      PlotPoint Top = Area.at(X, Height);
      if (Top.Y < Bottom)
        Drawing.bar({Top.X, Bottom}, {Area.at(X + Width, Height).X, Top.Y},
                    SearchColours[FirstSearch + Number]);
      if (Place == 0) {
        double At = Left + 120 * double(Number);
        Drawing.bar({At, 20}, {At + 12, 30}, SearchColours[FirstSearch + Number]);
        Drawing.text({At + 17, 30}, Search.Name);
      }
    }
    Drawing.text({Area.at(double(Place) + 0.5, Y.To).X, Bottom + 18}, Space.Application->Title,
                 TextAnchor::Middle);
  }
  return Drawing;
}

SvgDrawing drawSpeedUps(ArrayRef<LiangSpace> Spaces) {
  double Most = 1;
  for (const LiangSpace &Space : Spaces)
    for (const LiangSearch &Search : Space.Searches)
      Most = std::max(Most, Space.speedUp(Search));
  return drawSearchBars(
      Spaces, 0, [](const LiangSpace &Space, const LiangSearch &Search) { return Space.speedUp(Search); },
      PlotAxis::upTo(Most, "speed-up over the default"));
}

SvgDrawing drawExploredShares(ArrayRef<LiangSpace> Spaces) {
  double Most = 1;
  auto Percent = [](const LiangSpace &Space, const LiangSearch &Search) { return 100 * Space.share(Search); };
  for (const LiangSpace &Space : Spaces)
    for (const LiangSearch &Search : drop_begin(Space.Searches))
      Most = std::max(Most, Percent(Space, Search));
  return drawSearchBars(Spaces, /*FirstSearch=*/1, Percent, PlotAxis::upTo(Most, "share explored (%)"));
}

} // namespace gpuprune
