//===- SvgPlotTest.cpp - Plots as SVG ------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Evaluate/SvgPlot.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

static std::string printed(const SvgDrawing &Drawing) {
  std::string Text;
  raw_string_ostream OS(Text);
  Drawing.print(OS);
  return Text;
}

TEST(SvgPlot, EscapesText) {
  SvgDrawing Drawing(100, 50);
  Drawing.text({1, 2}, "a<b & \"c\"");
  Drawing.textUpwards({3, 4}, "</svg>");
  std::string Text = printed(Drawing);
  EXPECT_NE(Text.find(">a&lt;b &amp; &quot;c&quot;</text>"), std::string::npos) << Text;
  EXPECT_NE(Text.find(">&lt;/svg&gt;</text>"), std::string::npos) << Text;
  EXPECT_EQ(Text.find("</svg>"), Text.rfind("</svg>"));
}

TEST(SvgPlot, BarsHaveTwoOppositeCorners) {
  SvgDrawing Drawing(100, 50);
  Drawing.bar({30, 10}, {10, 40}, "red");
  EXPECT_NE(printed(Drawing).find(R"(<rect x="10.0" y="10.0" width="20.0" height="30.0" fill="red"/>)"),
            std::string::npos);
}

static std::vector<std::string> ticksUpTo(double Largest) {
  std::vector<std::string> Texts;
  for (const Tick &T : PlotAxis::upTo(Largest, "").Ticks)
    Texts.push_back(T.Text);
  return Texts;
}

TEST(SvgPlot, TicksAreRound) {
  EXPECT_EQ(ticksUpTo(1), (std::vector<std::string>{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
  EXPECT_EQ(ticksUpTo(42.9), (std::vector<std::string>{"0", "10", "20", "30", "40", "50"}));
  EXPECT_EQ(ticksUpTo(0.31), (std::vector<std::string>{"0", "0.1", "0.2", "0.3", "0.4"}));
}

TEST(SvgPlot, TheLargestValueIsInside) {
  for (double Largest : {0.001, 0.7, 1.0, 1.01, 5.9, 6.1, 59.0, 61.0, 999.0}) {
    PlotAxis Axis = PlotAxis::upTo(Largest, "");
    EXPECT_GE(Axis.To, Largest * (1 - 1e-9));
    EXPECT_LE(Axis.Ticks.size(), 8u) << Largest;
    EXPECT_EQ(Axis.place(0), 0);
    EXPECT_EQ(Axis.place(Axis.To), 1);
  }
}

TEST(SvgPlot, AroundValuesThatLieCloseTogether) {
  PlotAxis Axis = PlotAxis::around(14143, 14402, "");
  EXPECT_EQ(Axis.From, 14100);
  EXPECT_EQ(Axis.To, 14450);
  EXPECT_EQ(Axis.Ticks.front().Text, "14100");
  EXPECT_DOUBLE_EQ(Axis.place(14275), 0.5);
  EXPECT_EQ(PlotAxis::around(1, 14402, "").From, 0);
  EXPECT_EQ(PlotAxis::around(7, 7, "").From, 0);
}

TEST(SvgPlot, LogarithmicStepsAreEven) {
  PlotAxis Axis = PlotAxis::logarithmic({1, 2, 4, 8}, "");
  EXPECT_NEAR(Axis.place(1), 0.125, 1e-9);
  EXPECT_NEAR(Axis.place(2), 0.375, 1e-9);
  EXPECT_NEAR(Axis.place(8), 0.875, 1e-9);
}

TEST(SvgPlot, AreasTurnValuesIntoPixels) {
  SvgDrawing Drawing(300, 200);
  PlotArea Area(Drawing, {50, 20}, {200, 100}, "", PlotAxis::upTo(1, "x"), PlotAxis::upTo(10, "y"));
  EXPECT_EQ(Area.at(0, 0).X, 50);
  EXPECT_EQ(Area.at(0, 0).Y, 120);
  EXPECT_EQ(Area.at(0.5, 10).X, 150);
  EXPECT_EQ(Area.at(0.5, 10).Y, 20);
}
