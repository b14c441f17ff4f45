//===- LiangReportTest.cpp - Section V of Liang et al., paper and ours ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Evaluate/LiangReport.h"
#include "MadeUpSettings.h"
#include "gpuprune/Evaluate/LiangFigures.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

static std::string printedSvg(const SvgDrawing &Drawing) {
  std::string Text;
  raw_string_ostream OS(Text);
  Drawing.print(OS);
  return Text;
}

/// The tables, with one space where columns are further apart.
static std::string tables(ArrayRef<LiangSpace> Spaces) {
  std::string Text, Narrow;
  raw_string_ostream OS(Text);
  printLiang(OS, Spaces);
  for (char C : Text)
    if (C != ' ' || Narrow.empty() || Narrow.back() != ' ')
      Narrow += C;
  return Narrow;
}

static void expectLine(StringRef Text, StringRef Line) {
  EXPECT_TRUE(Text.contains(Line)) << "no line '" << Line.str() << "' in\n" << Text.str();
}

TEST(LiangReport, EachApplicationIsNeeded) {
  std::vector<RecordedKernel> Table = sixApplications();
  EXPECT_EQ(valueOf(evaluateLiang(Table)).size(), 6u);
  Table.erase(Table.begin() + 2);
  EXPECT_EQ(inputErrorOf(evaluateLiang(Table).takeError()), "the table lacks the application nbody");
}

TEST(LiangReport, FiguresOfThePaperStandBesideOurs) {
  std::string Text = tables(valueOf(evaluateLiang(sixApplications())));
  expectLine(Text, "BlackScholes 1 5 5 2.00 0.80 2.00 2.00");
  expectLine(Text, "CFD Solver 2 10 10 2.00 0.80 2.00 2.00");
  expectLine(Text, "mean, paper 1.36 1.34 1.33");
  expectLine(Text, "mean, paper 0.5 % 4.0 % 1.4 %");
  expectLine(Text, "of ES, here 1.000 0.400 1.000 1.000");
  expectLine(Text, "Nbody 5 (100.0 %) 1 (20.0 %) 4 (80.0 %) 2 (40.0 %)");
  expectLine(Text, "CFD Solver paper 4364 21 70 34");
  expectLine(Text, "here 0.034 0.010 0.025 0.010");
}

TEST(LiangReport, WhatFollowsFromTableIOfThePaper) {
  std::string Text = tables(valueOf(evaluateLiang(sixApplications())));
  // Not the 60 and 355 times of the text.
  expectLine(Text, "mean of ratios paper 1.0 161.3 18.8 69.4");
  expectLine(Text, "ratio of sums paper 1.0 161.8 10.1 46.4");
}

TEST(LiangReport, WallTimeWhereItWasRecorded) {
  std::vector<RecordedKernel> Table = sixApplications();
  EXPECT_EQ(StringRef(tables(valueOf(evaluateLiang(Table)))).count(" wall "), 0u);
  Table[1].WallSeconds["posf"] = 7.5;
  std::string Text = tables(valueOf(evaluateLiang(Table)));
  expectLine(Text, " wall 7.500");
  expectLine(Text, "ratio of sums wall - - - - -");
  for (RecordedKernel &Kernel : Table)
    Kernel.WallSeconds = {{"es", 8}, {"posf", 2}};
  expectLine(tables(valueOf(evaluateLiang(Table))), "ratio of sums wall 1.0 - - 4.0 -");
}

TEST(LiangReport, ThePageShowsItsFigures) {
  std::vector<GeneratedFile> Files = liangPage(valueOf(evaluateLiang(sixApplications())), "table.csv");
  ASSERT_EQ(Files.size(), 6u);
  EXPECT_EQ(Files[0].Name, "liang.md");
  for (const GeneratedFile &File : drop_begin(Files))
    expectLine(Files[0].Text, "](" + File.Name + ")");
  expectLine(Files[0].Text,
             "marching-cubes in the plane of PO: Pareto-optimal settings in blue, dominated ones, 20.0 %");
}

TEST(LiangFigures, LinesByBlockWithTheOptimum) {
  LiangSpace Space = valueOf(evaluateLiangSpace(liangApplications()[0], settings("blackscholes")));
  std::optional<SvgDrawing> Drawing = drawRegisterLines(Space.Launches[0], "t");
  ASSERT_TRUE(Drawing);
  std::string Text = printedSvg(*Drawing);
  EXPECT_EQ(StringRef(Text).count("stroke-width=\"1.5\""), 4u) << "two sizes, two figures each";
  EXPECT_EQ(StringRef(Text).count("128 threads"), 1u);
  EXPECT_EQ(StringRef(Text).count("r=\"8.0\""), 1u);
  for (VariantResult &Row : Space.Launches[0].Rows)
    Row.Parts = valueOf(parseVariant("gpu-unroll<loop=0;factor=2>"));
  EXPECT_FALSE(drawRegisterLines(Space.Launches[0], "t")) << "another dimension varies";
}

TEST(LiangFigures, ThePlaneOfPONeedsCycles) {
  LiangSpace Space = valueOf(evaluateLiangSpace(liangApplications()[0], settings("blackscholes")));
  std::optional<SvgDrawing> Drawing = drawOccupancyPareto(Space.Launches[0], "t");
  ASSERT_TRUE(Drawing);
  std::string Text = printedSvg(*Drawing);
  EXPECT_EQ(StringRef(Text).count("r=\"3.5\""), 4u);
  EXPECT_EQ(StringRef(Text).count("r=\"2.0\""), 1u) << "dominated";
  Space.Launches[0].Pareto.clear();
  EXPECT_FALSE(drawOccupancyPareto(Space.Launches[0], "t"));
}

TEST(LiangFigures, ASurfaceAndBarsForEachApplication) {
  std::vector<LiangSpace> Spaces = valueOf(evaluateLiang(sixApplications()));
  std::string Surfaces = printedSvg(drawResponseSurfaces(Spaces));
  EXPECT_EQ(StringRef(Surfaces).count("<rect"), 1u + 6 * 5);
  EXPECT_EQ(StringRef(Surfaces).count("r=\"8.0\""), 6u);
  EXPECT_EQ(StringRef(Surfaces).count("#cc3333"), 6u) << "the optimum";
  std::string SpeedUps = printedSvg(drawSpeedUps(Spaces)), Shares = printedSvg(drawExploredShares(Spaces));
  EXPECT_EQ(StringRef(SpeedUps).count("<rect"), 1u + 5 + 6 * 5) << "the page, the legend, the bars";
  EXPECT_EQ(StringRef(Shares).count("<rect"), 1u + 4 + 6 * 4) << "without ES";
}
