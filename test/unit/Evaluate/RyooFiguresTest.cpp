//===- RyooFiguresTest.cpp - Figures 3 to 6 of Ryoo et al. ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Evaluate/RyooFigures.h"
#include "MadeUpRows.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

static std::string printed(const SvgDrawing &Drawing) {
  std::string Text;
  raw_string_ostream OS(Text);
  Drawing.print(OS);
  return Text;
}

static size_t countOf(StringRef What, StringRef Text) { return Text.count(What); }

static constexpr StringLiteral Optimum = R"(fill="none" stroke="#0066cc" stroke-width="2")";

TEST(RyooFigures, MatmulHasABarForEachVariantOfTheFigure) {
  RyooSpace Space =
      spaceOf("matmul",
              {measured("-DTILE=16 gpu-unroll<loop=1;factor=1>", 100, 10, 9),
               measured("-DTILE=8 gpu-unroll<loop=1;factor=full>", 90, 10, 8),
               measured("-DTILE=8 gpu-block-coarsen<x=2>,gpu-prefetch<loop=0>,gpu-unroll<loop=1;factor=full>",
                        80, 10, 7),
               // Not of the figure: results in y, spilling, unrolling left to LLVM.
               measured("gpu-block-coarsen<x=2;y=2>,gpu-unroll<loop=1;factor=1>", 80, 10, 7.5),
               measured("gpu-unroll<loop=1;factor=1>,gpu-registers<max=64>", 80, 10, 7.5),
               measured("gpu-prefetch<loop=0>", 80, 10, 7.5)});
  std::optional<SvgDrawing> Drawing = drawMatmulTimes(Space);
  ASSERT_TRUE(Drawing);
  std::string Text = printed(*Drawing);
  EXPECT_EQ(countOf("<rect", Text), 1u + 2 + 3); // The page, the legend, the bars.
  EXPECT_EQ(countOf("complete unroll", Text), 1u);
  EXPECT_EQ(countOf("8x8 tiles", Text), 1u);
  EXPECT_EQ(countOf("16x16 tiles", Text), 1u);
  EXPECT_EQ(countOf(Optimum, Text), 1u);
}

TEST(RyooFigures, MatmulWithoutUnrollingHasNone) {
  EXPECT_FALSE(drawMatmulTimes(spaceOf("matmul", {measured("", 1, 1, 1)})));
}

TEST(RyooFigures, SadHasALineForEachPipeline) {
  std::vector<VariantResult> Rows;
  for (int64_t Threads : {32, 64, 96})
    for (StringRef Pipeline : {"gpu-unroll<loop=2;factor=1>", "gpu-unroll<loop=2;factor=2>"}) {
      Rows.push_back(
          measured(formatv("-DROWS={0} {1}", Threads / 32, Pipeline).str(), 100, 10, double(Threads)));
      Rows.back().Launch.Block = {Threads, 1, 1};
    }
  std::optional<SvgDrawing> Drawing = drawSadTimes(spaceOf("sad", Rows));
  ASSERT_TRUE(Drawing);
  EXPECT_EQ(countOf("stroke=\"#888888\"", printed(*Drawing)), 2u);
  Rows.resize(2);
  EXPECT_FALSE(drawSadTimes(spaceOf("sad", Rows)));
}

TEST(RyooFigures, CpComparesBlocksOfOneSize) {
  std::vector<VariantResult> Rows = {
      measured("block=64,1,1", 100, 10, 9),
      measured("block=128,1,1 gpu-thread-coarsen<dim=x;factor=2>", 150, 10, 5),
      measured("block=128,1,1 gpu-thread-coarsen<dim=x;factor=2;stride=consecutive>", 150, 10, 6),
      measured("block=128,1,1", 100, 10, 8)};
  Rows[3].Launch.Block = {128, 1, 1};
  std::optional<SvgDrawing> Drawing = drawCpTiling(spaceOf("cp", Rows));
  ASSERT_TRUE(Drawing);
  std::string Text = printed(*Drawing);
  EXPECT_EQ(countOf("64 threads per block", Text), 1u);
  EXPECT_EQ(countOf("<circle", Text), 3u * 2); // Two factors in three curves.
  Rows.erase(Rows.begin() + 1);
  EXPECT_FALSE(drawCpTiling(spaceOf("cp", Rows)));
}

TEST(RyooFigures, PlanesHaveTheSetAndTheOptimum) {
  std::vector<RyooSpace> Spaces = {
      spaceOf("matmul", {measured("", 100, 10, 9), measured("gpu-unroll<loop=1;factor=2>", 90, 10, 8),
                         measured("gpu-unroll<loop=1;factor=4>", 80, 4, 9)}),
      spaceOf("cp", {measured("", 100, 10, 9)})};
  std::string Text = printed(drawMetricPlanes(Spaces));
  EXPECT_EQ(countOf(Optimum, Text), 2u);
  EXPECT_EQ(countOf("fill=\"#888888\"", Text), 4u);
  EXPECT_EQ(countOf("fill=\"#cc3333\"", Text), 2u);
  EXPECT_EQ(countOf("(b) CP", Text), 1u);
}
