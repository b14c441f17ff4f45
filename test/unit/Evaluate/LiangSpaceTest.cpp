//===- LiangSpaceTest.cpp - Spaces, searched as Liang et al. do ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Evaluate/LiangSpace.h"
#include "MadeUpSettings.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

using Indices = std::vector<size_t>;

static const LiangApplication &Solver = liangApplications().back();

static const LiangSearch &found(const LiangSpace &Space, StringRef Name) {
  return *find_if(Space.Searches, [&](const LiangSearch &S) { return S.Name == Name; });
}

static std::string errorOfSpace(ArrayRef<RecordedKernel> Table) {
  return inputErrorOf(evaluateLiangSpace(Solver, Table).takeError());
}

TEST(LiangSpace, WhatEachSearchFindsOfOneKernel) {
  LiangSpace Space = valueOf(evaluateLiangSpace(Solver, settings("euler-solver")));
  EXPECT_EQ(Space.combinations(), 5u);
  EXPECT_EQ(Space.distinct(), 5u);
  EXPECT_EQ(Space.Launches[0].Pareto, (Indices{0, 1, 2, 3}));
  EXPECT_EQ(Space.Launches[0].Best, 2u);
  EXPECT_EQ(Space.speedUp(found(Space, "es")), 2);
  EXPECT_EQ(found(Space, "es").MeasuredMs, 17);
  EXPECT_EQ(Space.speedUp(found(Space, "ros")), 0.8) << "slower than the default";
  EXPECT_EQ(found(Space, "ros").Measured, 1u);
  EXPECT_EQ(found(Space, "pos").Measured, 4u);
  EXPECT_EQ(found(Space, "posf").Measured, 2u);
  EXPECT_EQ(found(Space, "posf").MeasuredMs, 5);
  EXPECT_EQ(Space.share(found(Space, "posf")), 0.4);
  EXPECT_GT(found(Space, "model-guided").Measured, 0u);
}

TEST(LiangSpace, ASequenceIsTheSumOfItsLaunches) {
  std::vector<RecordedKernel> Table = {settings("euler-solver@1"), settings("nbody"),
                                       settings("euler-solver@2x10")};
  Table[2].Rows.resize(2);
  LiangSpace Space = valueOf(evaluateLiangSpace(Solver, Table));
  ASSERT_EQ(Space.Launches.size(), 2u);
  EXPECT_EQ(Space.Launches[1].Times, 10u);
  EXPECT_EQ(Space.defaultMs(), 4 + 10 * 4);
  EXPECT_EQ(found(Space, "es").Ms, 2 + 10 * 3);
  EXPECT_EQ(found(Space, "es").MeasuredMs, 17 + 8) << "each launch once";
  EXPECT_EQ(Space.longestLaunch().Name, "euler-solver@2x10");
}

TEST(LiangSpace, WhereNothingIsMeasuredTheDefaultStays) {
  RecordedKernel Kernel = settings("euler-solver");
  for (VariantResult &Row : Kernel.Rows)
    Row.Scheduled.Cycles.reset();
  LiangSpace Space = valueOf(evaluateLiangSpace(Solver, Kernel));
  EXPECT_EQ(found(Space, "pos").Measured, 0u);
  EXPECT_EQ(Space.speedUp(found(Space, "pos")), 1);
}

TEST(LiangSpace, WallTimeIsTheApplications) {
  std::vector<RecordedKernel> Table = {settings("euler-solver@1"), settings("euler-solver@2x10")};
  EXPECT_EQ(found(valueOf(evaluateLiangSpace(Solver, Table)), "pos").WallSeconds, std::nullopt);
  Table[0].WallSeconds["pos"] = 1.5;
  LiangSpace Space = valueOf(evaluateLiangSpace(Solver, Table));
  EXPECT_EQ(found(Space, "pos").WallSeconds, 1.5);
  EXPECT_EQ(found(Space, "es").WallSeconds, std::nullopt);
}

TEST(LiangSpace, WhatIsNoLaunchOfTheApplication) {
  for (StringRef Name : {"euler-solver2", "euler-solver@", "euler-solver@0", "euler-solver@1x",
                         "euler-solver@1x0", "euler-solver@1y2", "euler"})
    EXPECT_EQ(errorOfSpace(settings(Name)), "the table lacks the application euler-solver") << Name.str();
}

TEST(LiangSpace, EachLaunchNeedsTimes) {
  RecordedKernel Kernel = settings("euler-solver");
  Kernel.Stock.OnGpu.MedianMs.reset();
  EXPECT_EQ(errorOfSpace(Kernel), "euler-solver as written has no time");
  Kernel = settings("euler-solver@3");
  for (VariantResult &Row : Kernel.Rows)
    Row.OnGpu.MedianMs.reset();
  EXPECT_EQ(errorOfSpace(Kernel), "euler-solver@3 has no measured variant");
}
