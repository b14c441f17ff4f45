//===- LaunchChoiceTest.cpp - How a variant's launch relates to the author's ===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/LaunchChoice.h"
#include "ExpectedTesting.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;
using test::valueOf;

namespace {

constexpr StringLiteral Elementwise = R"yaml(
grid: [ "cdiv(n, block.x)" ]
block: [ 64 ]
buffers:
  x: { type: f32, count: n, fill: { uniform: [0, 1], seed: 1 }, role: in }
  y: { type: f32, count: n, role: out }
arguments: [ x, y, { i32: n } ]
)yaml";

Workload workload(StringRef Defines, StringRef Rest = Elementwise) {
  std::string Yaml = ("source: k.cu\nkernel: k\ndefines: " + Defines +
                      "\nsizes: { tune: { n: 4096 }, check: [ { n: 64 }, { n: 200 } ] }\n" + Rest)
                         .str();
  return valueOf(parseWorkload(Yaml, "w.yaml"));
}

LaunchChoice choice(const Workload &W, StringRef Variant) {
  return launchChoice(W, valueOf(parseVariant(Variant)));
}

std::vector<int64_t> tellingSizes(const LaunchChoice &C) {
  std::vector<int64_t> Sizes;
  for (const LaunchChoice::Launch &L : C.Launches)
    if (L.Tells)
      Sizes.push_back(L.Size.lookup("n"));
  return Sizes;
}

using Numbers = std::vector<int64_t>;

} // namespace

TEST(LaunchChoice, TheAuthorsOwn) {
  Workload W = workload("{ T: [8, 4] }");
  for (StringRef Text : {"", "gpu-unroll<loop=0;factor=2>", "-DT=8"}) {
    LaunchChoice C = choice(W, Text);
    EXPECT_TRUE(C.IsAuthors) << Text.str();
    EXPECT_EQ(C.Text, "");
    EXPECT_EQ(C.OwnResult, "");
    EXPECT_EQ(C.whyItCannotWin({}), "");
  }
}

TEST(LaunchChoice, ABlockIsToldApartWhereBothGridsHaveBlocksEnough) {
  Workload W = workload("{ T: [8, 4] }");
  LaunchChoice C = choice(W, "block=128");
  EXPECT_FALSE(C.IsAuthors);
  EXPECT_EQ(C.Text, "block=128,1,1");
  EXPECT_EQ(C.OwnResult, "");
  // n=64: one block each. n=200: four of the author's, two of these, which would reach the end even if they
  // lay as far apart as the author's.
  EXPECT_EQ(tellingSizes(C), Numbers{4096});
  EXPECT_EQ(tellingSizes(choice(W, "block=256")), Numbers{4096});
  EXPECT_EQ(tellingSizes(choice(W, "block=32")), (Numbers{200, 4096})) << "the author has one block at 64";
  EXPECT_EQ(C.whyItCannotWin({}), "");
}

TEST(LaunchChoice, WhatNoSizeComparesCannotWin) {
  Workload W = workload("{ T: [8, 4] }");
  std::string Why = choice(W, "block=8192").whyItCannotWin({});
  EXPECT_NE(Why.find("enough blocks in each dimension that block=8192,1,1 changes"), std::string::npos)
      << Why;
  // A launch contract that divides none of the sizes that tell.
  VariantKernel Thirds;
  Thirds.Contract.GridDivisor = {3, 1, 1};
  EXPECT_NE(choice(W, "block=128").whyItCannotWin(Thirds), "");
  EXPECT_EQ(choice(W, "").whyItCannotWin(Thirds), "");
  // Code that is compiled for blocks that no size is launched with, and for those that all are.
  VariantKernel Bound;
  Bound.Bound = LaunchBound{{64, 1, 1}, /*Exact=*/true};
  EXPECT_NE(choice(W, "block=128").whyItCannotWin(Bound), "");
  Bound.Bound->Block = {128, 1, 1};
  EXPECT_EQ(choice(W, "block=128").whyItCannotWin(Bound), "");
}

TEST(LaunchChoice, ADefineThatChangesNoLaunchTellsEverywhere) {
  Workload W = workload("{ T: [8, 4] }");
  LaunchChoice C = choice(W, "-DT=4");
  EXPECT_EQ(C.Text, "-DT=4");
  EXPECT_EQ(tellingSizes(C), (Numbers{64, 200, 4096}));
  EXPECT_EQ(C.whyItCannotWin({}), "");
}

TEST(LaunchChoice, ADefineThatChangesABufferHasItsOwnResult) {
  Workload W = workload("{ T: [8, 4] }", R"yaml(
grid: [ "cdiv(n, 64)" ]
block: [ 64 ]
buffers:
  x: { type: f32, count: n, fill: zero, role: in }
  y: { type: f32, count: n*T, role: out }
arguments: [ x, y, { i32: n } ]
)yaml");
  LaunchChoice C = choice(W, "-DT=4");
  EXPECT_EQ(C.OwnResult, "buffer y has 256 elements of f32, at the author's launch 512 elements of f32");
  EXPECT_NE(C.whyItCannotWin({}).find("same-result: false"), std::string::npos);
}

TEST(LaunchChoice, ADefineThatChangesAScalarHasItsOwnResultAndABlockThatDoesHasNot) {
  StringRef Rest = R"yaml(
grid: [ "cdiv(n, block.x)" ]
block: [ 64 ]
buffers:
  y: { type: f32, count: n, role: out }
arguments: [ y, { i32: n / T }, { i32: block.x } ]
)yaml";
  Workload W = workload("{ T: [8, 4] }", Rest);
  EXPECT_NE(choice(W, "-DT=4").OwnResult.find("argument 1"), std::string::npos);
  EXPECT_EQ(choice(W, "block=128").OwnResult, "") << "the kernel is told of its block";
  EXPECT_NE(choice(W, "-DT=4 block=128").OwnResult, "");
}

TEST(LaunchChoice, ADefineThatMovesAnOffsetHasItsOwnResult) {
  Workload W = workload("{ T: [8, 4] }", R"yaml(
grid: [ "cdiv(n, 64)" ]
block: [ 64 ]
buffers:
  y: { type: f32, count: n, role: out }
arguments: [ { buffer: y, offset: T } ]
)yaml");
  EXPECT_NE(choice(W, "-DT=4").OwnResult.find("argument 0"), std::string::npos);
}

TEST(LaunchChoice, TheWorkloadMayAskForAnotherResult) {
  Workload W = workload("{ T: { values: [8, 4], same-result: false }, U: [1, 2] }");
  EXPECT_FALSE(W.Defines[0].SameResult);
  EXPECT_TRUE(W.Defines[1].SameResult);
  LaunchChoice C = choice(W, "-DT=4");
  EXPECT_NE(C.OwnResult, "");
  EXPECT_EQ(C.whyItCannotWin({}), "");
  EXPECT_EQ(choice(W, "-DU=2").OwnResult, "");
  LaunchChoice Both = choice(W, "-DT=4 -DU=2 block=128");
  EXPECT_FALSE(Both.OwnResultMayWin);
  EXPECT_NE(Both.whyItCannotWin({}).find("whether its block, U does as well"), std::string::npos)
      << Both.whyItCannotWin({});
}

TEST(LaunchChoice, SizesThatAChoiceDoesNotFitAreLeftOut) {
  Workload W = workload("{ T: [8] }", R"yaml(
grid: [ n / block.x ]
block: [ 8 ]
buffers:
  y: { type: f32, count: n, role: out }
arguments: [ y, { i32: n } ]
)yaml");
  LaunchChoice C = choice(W, "block=128"); // Divides neither 64 nor 200.
  ASSERT_EQ(C.Launches.size(), 1u);
  EXPECT_EQ(C.Launches[0].Shape.Grid, (Dim3{32, 1, 1}));
}
