//===- RegisterFigures.cpp - Figures 2 and 4 of Liang et al. -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FigureParts.h"
#include "gpuprune/Evaluate/LiangFigures.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace llvm;

namespace gpuprune {

static constexpr StringLiteral LineColours[] = {"#1f3b57", "#4f86b8", "#8fc1a9",
                                                "#e08a3c", "#cc3333", "#888888"};

/// Times by registers of a thread.
using RegisterTimes = std::map<unsigned, size_t>;

/// By threads of a block, those variants whose only passes are \p Allowed; the fastest of equals.
static std::map<double, RegisterTimes> rowsByBlock(const LiangLaunch &Launch, ArrayRef<StringRef> Allowed) {
  std::map<double, RegisterTimes> ByBlock;
  for (size_t Row : Launch.Measured) {
    const VariantResult &R = Launch.Rows[Row];
    bool Other = any_of(R.Parts.Pipeline,
                        [&](const PassElement &P) { return !is_contained(Allowed, StringRef(P.Name)); });
    if (!R.Registers || (!Allowed.empty() && Other))
      continue;
    auto [Known, IsNew] = ByBlock[R.Launch.Block.volume()].try_emplace(*R.Registers, Row);
    if (!IsNew && Launch.timeOf(Row) < Launch.timeOf(Known->second))
      Known->second = Row;
  }
  return ByBlock;
}

/// As many as there are colours, spread over all.
static std::vector<double> someBlocks(const std::map<double, RegisterTimes> &ByBlock) {
  std::vector<double> All, Some;
  for (const auto &[Threads, Rows] : ByBlock)
    if (Rows.size() > 1)
      All.push_back(Threads);
  size_t Most = std::min(All.size(), std::size(LineColours));
  for (size_t I = 0; I != Most; ++I)
    Some.push_back(All[Most == 1 ? 0 : I * (All.size() - 1) / (Most - 1)]);
  return Some;
}

static unsigned mostRegisters(const LiangLaunch &Launch) {
  unsigned Most = 1;
  for (size_t Row : Launch.Measured)
    Most = std::max(Most, Launch.Rows[Row].Registers.value_or(0));
  return Most;
}

std::optional<SvgDrawing> drawRegisterLines(const LiangLaunch &Launch, StringRef Title) {
  std::map<double, RegisterTimes> ByBlock = rowsByBlock(Launch, {"gpu-registers"});
  std::vector<double> Blocks = someBlocks(ByBlock);
  if (Blocks.empty())
    return std::nullopt;
  auto SpeedUp = [&](size_t Row) { return Launch.defaultMs() / Launch.timeOf(Row); };
  double Fastest = 1;
  for (double Threads : Blocks)
    for (auto [Registers, Row] : ByBlock[Threads])
      Fastest = std::max(Fastest, SpeedUp(Row));
  PlotAxis X = PlotAxis::upTo(mostRegisters(Launch), "registers per thread");
  SvgDrawing Drawing(860, 430);
  PlotArea Speed(Drawing, {70, 70}, {340, 290}, Title, X,
                 PlotAxis::upTo(Fastest, "speed-up over the default"));
  PlotArea Occupancy(Drawing, {500, 70}, {340, 290}, "Occupancy", X, PlotAxis::upTo(1, "occupancy"));
  for (const auto &[Number, Threads] : enumerate(Blocks)) {
    StringRef Colour = LineColours[Number];
    std::vector<PlotPoint> Speeds, Occupancies;
    for (auto [Registers, Row] : ByBlock[Threads]) {
      Speeds.push_back(Speed.at(Registers, SpeedUp(Row)));
      Occupancies.push_back(Occupancy.at(Registers, Launch.Rows[Row].Occupancy.value_or(0)));
      if (Row == Launch.Best)
        ringBest(Drawing, Speeds.back());
    }
    for (ArrayRef<PlotPoint> Line : {ArrayRef(Speeds), ArrayRef(Occupancies)}) {
      Drawing.line(Line, Colour, 1.5);
      for (PlotPoint At : Line)
        Drawing.dot(At, 2.5, Colour);
    }
    Drawing.text({70 + 130 * double(Number), 24}, formatv("{0} threads", unsigned(Threads)).str(),
                 TextAnchor::Start, Colour);
  }
  return Drawing;
}

/// White where nothing is gained, towards blue where it is slower and towards red where it is faster.
static std::string heatColour(double SpeedUp, double Fastest) {
  auto Mixed = [](unsigned Towards, double Part) {
    return unsigned(255 + (double(Towards) - 255) * std::min(1.0, Part));
  };
  bool IsFaster = SpeedUp >= 1;
  double Part = IsFaster ? (Fastest > 1 ? (SpeedUp - 1) / (Fastest - 1) : 0) : 1 - SpeedUp;
  unsigned Red = Mixed(IsFaster ? 0xcc : 0x1f, Part), Green = Mixed(IsFaster ? 0x33 : 0x3b, Part),
           Blue = Mixed(IsFaster ? 0x33 : 0x57, Part);
  return formatv("#{0}{1}{2}", format_hex_no_prefix(Red, 2), format_hex_no_prefix(Green, 2),
                 format_hex_no_prefix(Blue, 2));
}

static void drawSurface(SvgDrawing &Drawing, PlotPoint Corner, const LiangSpace &Space) {
  const LiangLaunch &Launch = Space.longestLaunch();
  std::map<double, RegisterTimes> ByBlock = rowsByBlock(Launch, {});
  double Fastest = Launch.defaultMs() / Launch.timeOf(Launch.Best), MostThreads = 32;
  for (const auto &[Threads, Rows] : ByBlock)
    MostThreads = std::max(MostThreads, Threads);
  PlotArea Area(Drawing, Corner, {330, 250}, formatv("{0}, up to {1:f2} times", Launch.Name, Fastest).str(),
                PlotAxis::upTo(mostRegisters(Launch) + 4, "registers per thread"),
                PlotAxis::upTo(MostThreads + 32, "threads per block"));
  std::optional<PlotPoint> Best;
  for (const auto &[Threads, Rows] : ByBlock)
    for (auto Cell = Rows.begin(); Cell != Rows.end(); ++Cell) {
      // As wide as to the next number of registers, at most those of an allocation unit.
      auto Next = std::next(Cell);
      double Wide = Next == Rows.end() ? 4 : std::min(8.0, double(Next->first - Cell->first));
      double SpeedUp = Launch.defaultMs() / Launch.timeOf(Cell->second);
      Drawing.bar(Area.at(Cell->first, Threads - 14), Area.at(Cell->first + Wide, Threads + 14),
                  heatColour(SpeedUp, Fastest));
      if (Cell->second == Launch.Best)
        Best = Area.at(Cell->first + Wide / 2, Threads);
    }
  if (Best) // Above the cells.
    ringBest(Drawing, *Best);
}

SvgDrawing drawResponseSurfaces(ArrayRef<LiangSpace> Spaces) {
  SvgDrawing Drawing(880, 50 + 350 * unsigned(divideCeil(Spaces.size(), 2)));
  for (const auto &[Index, Space] : enumerate(Spaces)) {
    size_t Line = Index / 2, Column = Index % 2;
    drawSurface(Drawing, {70 + 440 * double(Column), 40 + 350 * double(Line)}, Space);
  }
  return Drawing;
}

} // namespace gpuprune
