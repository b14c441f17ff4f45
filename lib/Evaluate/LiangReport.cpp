//===- LiangReport.cpp - Section V of Liang et al., paper and ours -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Evaluate/LiangReport.h"
#include "PageParts.h"
#include "gpuprune/Evaluate/LiangFigures.h"
#include "gpuprune/Search/OccupancySearch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <limits>

using namespace llvm;

namespace gpuprune {

static TableLine headerOf(ArrayRef<StringRef> First, ArrayRef<LiangSpace> Spaces) {
  TableLine Header;
  for (StringRef Name : First)
    Header.push_back(Name.str());
  for (const LiangSearch &Search : Spaces.front().Searches)
    Header.push_back(Search.Name.str());
  return Header;
}

static std::string times(double Ratio) { return formatv("{0:f2}", Ratio); }

using SearchValue = function_ref<double(const LiangSpace &, const LiangSearch &)>;

/// Of each search, over the applications.
static std::vector<double> means(ArrayRef<LiangSpace> Spaces, SearchValue Value, bool IsGeometric = false) {
  std::vector<double> Result;
  for (size_t Search = 0; Search != Spaces.front().Searches.size(); ++Search) {
    double Sum = 0;
    for (const LiangSpace &Space : Spaces) {
      double Of = Value(Space, Space.Searches[Search]);
      Sum += IsGeometric ? std::log(Of) : Of;
    }
    double Mean = Sum / double(Spaces.size());
    Result.push_back(IsGeometric ? std::exp(Mean) : Mean);
  }
  return Result;
}

static TableLine meanLine(ArrayRef<StringRef> First, ArrayRef<double> Means,
                          function_ref<std::string(double)> Text) {
  TableLine Line;
  for (StringRef Cell : First)
    Line.push_back(Cell.str());
  for (double Mean : Means)
    Line.push_back(Text(Mean));
  return Line;
}

/// A line of means that the paper has, with nothing for ours.
static TableLine paperLine(ArrayRef<StringRef> First, std::optional<double> LiangMeans::*Figure,
                           function_ref<std::string(double)> Text) {
  TableLine Line;
  for (StringRef Cell : First)
    Line.push_back(Cell.str());
  for (const LiangMeans &Mean : liangMeans())
    Line.push_back(Mean.*Figure ? Text(*(Mean.*Figure)) : "");
  Line.push_back("");
  return Line;
}

static PageSection speedUps(ArrayRef<LiangSpace> Spaces) {
  PageSection S{
      "Figure 5: speed-up over the default",
      "Default: the kernel as written by stock clang, in its author's launch. Where a search "
      "measures nothing, its setting is the default. Means are arithmetic, as the paper's. Of ES, in "
      "the last line: the geometric mean of what a search finds over what ES finds.",
      headerOf({"application", "launches", "combinations", "distinct"}, Spaces),
      {}};
  for (const LiangSpace &Space : Spaces) {
    TableLine Line{Space.Application->Title.str(), std::to_string(Space.Launches.size()),
                   std::to_string(Space.combinations()), std::to_string(Space.distinct())};
    for (const LiangSearch &Search : Space.Searches)
      Line.push_back(times(Space.speedUp(Search)));
    S.Lines.push_back(std::move(Line));
  }
  auto SpeedUp = [](const LiangSpace &Space, const LiangSearch &Search) { return Space.speedUp(Search); };
  auto OfBest = [](const LiangSpace &Space, const LiangSearch &Search) {
    return Space.Searches.front().Ms / Search.Ms;
  };
  S.Lines.push_back(meanLine({"mean, here", "", "", ""}, means(Spaces, SpeedUp), times));
  S.Lines.push_back(paperLine({"mean, paper", "", "", ""}, &LiangMeans::SpeedUp, times));
  S.Lines.push_back(meanLine({"of ES, here", "", "", ""}, means(Spaces, OfBest, /*IsGeometric=*/true),
                             [](double Ratio) { return formatv("{0:f3}", Ratio).str(); }));
  return S;
}

static PageSection shares(ArrayRef<LiangSpace> Spaces) {
  PageSection S{
      "Figure 6: what is measured",
      "Programs, and their share of the distinct ones, which is what ES measures. The paper's are shares of "
      "all its combinations.",
      headerOf({"application"}, Spaces),
      {}};
  for (const LiangSpace &Space : Spaces) {
    TableLine Line{Space.Application->Title.str()};
    for (const LiangSearch &Search : Space.Searches)
      Line.push_back(formatv("{0} ({1})", Search.Measured, percentText(Space.share(Search))));
    S.Lines.push_back(std::move(Line));
  }
  auto Share = [](const LiangSpace &Space, const LiangSearch &Search) { return Space.share(Search); };
  S.Lines.push_back(meanLine({"mean, here"}, means(Spaces, Share), percentText));
  S.Lines.push_back(paperLine({"mean, paper"}, &LiangMeans::Share, percentText));
  return S;
}

/// Ratios of exploration times: the mean of ES's over a search's, and the ratio of their sums. Not a number:
/// not known.
static void addRatios(PageSection &S, StringRef Whose, ArrayRef<std::vector<double>> Seconds) {
  TableLine Mean{"mean of ratios", Whose.str()}, Total{"ratio of sums", Whose.str()};
  for (size_t Search = 0; Search != Seconds.front().size(); ++Search) {
    double Ratios = 0, Sum = 0, All = 0;
    for (const std::vector<double> &Application : Seconds) {
      Ratios += Application[0] / Application[Search];
      All += Application[0];
      Sum += Application[Search];
    }
    bool IsKnown = std::isfinite(Ratios);
    Mean.push_back(IsKnown ? formatv("{0:f1}", Ratios / double(Seconds.size())).str() : "-");
    Total.push_back(Sum > 0 ? formatv("{0:f1}", All / Sum).str() : "-");
  }
  while (Mean.size() < S.Header.size()) {
    Mean.push_back("");
    Total.push_back("");
  }
  S.Lines.push_back(std::move(Mean));
  S.Lines.push_back(std::move(Total));
}

static PageSection table1(ArrayRef<LiangSpace> Spaces) {
  PageSection S{
      "Table I: seconds of exploration",
      "Here: one run of each program that is measured, on the GPU alone, of each launch once; wall: of a "
      "whole live run, from its start to its end, with building and checking, where that was recorded "
      "(ES: of a run for each launch). Mean of ratios and ratio of sums: how many times faster than ES. The "
      "text of "
      "the paper has 60 times for POS and 355 times for POSF, which do not follow from its Table I. A ratio "
      "to nothing measured is none (-).",
      headerOf({"application", ""}, Spaces),
      {}};
  std::vector<std::vector<double>> Paper, Ours, Walls;
  bool HasWall = false;
  for (const LiangSpace &Space : Spaces) {
    TableLine Published{Space.Application->Title.str(), "paper"}, Here{"", "here"}, Wall{"", "wall"};
    Paper.emplace_back(std::begin(Space.Application->Seconds), std::end(Space.Application->Seconds));
    for (double Seconds : Paper.back())
      Published.push_back(formatv("{0:f0}", Seconds));
    Published.push_back("");
    Ours.emplace_back();
    Walls.emplace_back();
    for (const LiangSearch &Search : Space.Searches) {
      Ours.back().push_back(Search.MeasuredMs / 1000);
      Here.push_back(secondsText(Ours.back().back()));
      Walls.back().push_back(Search.WallSeconds.value_or(std::numeric_limits<double>::quiet_NaN()));
      Wall.push_back(Search.WallSeconds ? secondsText(*Search.WallSeconds) : "");
    }
    S.Lines.push_back(std::move(Published));
    S.Lines.push_back(std::move(Here));
    bool IsTimed = any_of(Walls.back(), [](double Seconds) { return !std::isnan(Seconds); });
    HasWall |= IsTimed;
    if (IsTimed)
      S.Lines.push_back(std::move(Wall));
  }
  addRatios(S, "paper", Paper);
  addRatios(S, "here", Ours);
  if (HasWall)
    addRatios(S, "wall", Walls);
  return S;
}

static PageSection launchOptima(ArrayRef<LiangSpace> Spaces) {
  PageSection S{
      "Optima",
      "Of each launch; repeated: how often the application has it, at the size that is tuned. On "
      "PO: whether the optimum is Pareto-optimal, and within the range of POSF. The "
      "default is by stock clang and not in the space; where it is the faster one, no setting gains.",
      {"launch", "repeated", "default (ms)", "optimum (ms)", "registers", "occupancy", "on PO", "optimum"},
      {}};
  for (const LiangSpace &Space : Spaces)
    for (const LiangLaunch &Launch : Space.Launches) {
      const VariantResult &Best = Launch.Rows[Launch.Best];
      bool Within =
          Best.Occupancy && *Best.Occupancy >= PublishedFilter.From && *Best.Occupancy <= PublishedFilter.To;
      std::string On = Launch.Pareto.empty()                       ? "-"
                       : !is_contained(Launch.Pareto, Launch.Best) ? "no"
                       : Within                                    ? "yes"
                                                                   : "yes, not POSF";
      S.Lines.push_back({Launch.Name, std::to_string(Launch.Times), msText(Launch.defaultMs()),
                         msText(Launch.timeOf(Launch.Best)),
                         Best.Registers ? std::to_string(*Best.Registers) : "-",
                         Best.Occupancy ? percentText(*Best.Occupancy) : "-", On,
                         Best.text().empty() ? "as written" : Best.text()});
    }
  return S;
}

static std::vector<PageSection> sectionsOfLiang(ArrayRef<LiangSpace> Spaces) {
  return {speedUps(Spaces), shares(Spaces), table1(Spaces), launchOptima(Spaces)};
}

void printLiang(raw_ostream &OS, ArrayRef<LiangSpace> Spaces) { printSections(OS, sectionsOfLiang(Spaces)); }

/// BlackScholes, as in the paper, or the first application whose registers can be chosen at all.
static PageFigure registerFigure(ArrayRef<LiangSpace> Spaces) {
  for (const LiangSpace &Space : Spaces) {
    const LiangLaunch &Launch = Space.longestLaunch();
    if (std::optional<SvgDrawing> Drawing = drawRegisterLines(Launch, "Speed-up"))
      return {
          "liang-figure2.svg",
          formatv(
              "Figure 2: {0} by registers and threads per block{1}. The optimum is circled if it is among "
              "these.",
              Launch.Name,
              Space.Application->Kernel == "blackscholes"
                  ? ""
                  : " (paper: BlackScholes, which takes the same registers under all limits here)"),
          std::move(Drawing)};
  }
  return {"liang-figure2.svg", "", std::nullopt};
}

static std::vector<PageFigure> figuresOfLiang(ArrayRef<LiangSpace> Spaces) {
  auto Longest = [&](StringRef Kernel) -> const LiangLaunch & {
    return find_if(Spaces, [&](const LiangSpace &S) { return S.Application->Kernel == Kernel; })
        ->longestLaunch();
  };
  const LiangLaunch &Cubes = Longest("marching-cubes");
  double Pruned = 1 - double(Cubes.Pareto.size()) / double(Cubes.Measured.size());
  return {
      registerFigure(Spaces),
      {"liang-figure3.svg",
       formatv(
           "Figure 3: {0} in the plane of PO: Pareto-optimal settings in blue, dominated ones, {1} (paper: "
           "96.4 %), in red. POSF keeps what is between the two lines. The optimum is circled.",
           Cubes.Name, percentText(Pruned)),
       drawOccupancyPareto(Cubes, Cubes.Name)},
      {"liang-figure4.svg",
       "Figure 4: speed-up over the default by registers and threads per block, of each application's "
       "longest "
       "launch: white none, red up to the most, blue slower. The optimum is circled.",
       drawResponseSurfaces(Spaces)},
      {"liang-figure5.svg", "Figure 5: speed-up over the default.", drawSpeedUps(Spaces)},
      {"liang-figure6.svg", "Figure 6: share of the space that is measured; ES measures all of it.",
       drawExploredShares(Spaces)}};
}

std::vector<GeneratedFile> liangPage(ArrayRef<LiangSpace> Spaces, StringRef DataFile) {
  std::string Head = formatv("# Section V of Liang et al., paper and here\n\n"
                             "Made of [{0}]({0}) by `gpuprune evaluate liang`, which is what to change: "
                             "[liang.md](../liang.md) tells what was measured and how.\n",
                             DataFile);
  return makePage("liang.md", Head, sectionsOfLiang(Spaces), figuresOfLiang(Spaces));
}

Expected<std::vector<LiangSpace>> evaluateLiang(ArrayRef<RecordedKernel> Table) {
  std::vector<LiangSpace> Spaces;
  for (const LiangApplication &Application : liangApplications()) {
    Expected<LiangSpace> Space = evaluateLiangSpace(Application, Table);
    if (!Space)
      return Space.takeError();
    Spaces.push_back(std::move(*Space));
  }
  return Spaces;
}

} // namespace gpuprune
