//===- OccupancySearchTest.cpp - The searches of Liang et al. -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/OccupancySearch.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

using Indices = std::vector<size_t>;

static VariantResult registersRow(double Occupancy, unsigned Registers) {
  VariantResult Row;
  Row.Occupancy = Occupancy;
  Row.Registers = Registers;
  return Row;
}

static VariantResult cyclesRow(double Occupancy, double Cycles, int64_t Grid = 8) {
  VariantResult Row;
  Row.Launch.Grid = {Grid, 1, 1};
  Row.Launch.Block = {64, 1, 1};
  Row.Occupancy = Occupancy;
  Row.Scheduled.Cycles = Cycles;
  return Row;
}

TEST(OccupancySearch, TheMetricsAsPrinted) {
  // A GTX 480: 1536 threads an SM and 63 registers a thread.
  const OccupancyLimits Fermi{1536, 63};
  VariantResult Row = cyclesRow(0.75, 5000);
  EXPECT_FALSE(registerOccupancy(Row, Fermi));
  Row.Registers = 42;
  EXPECT_DOUBLE_EQ(*registerOccupancy(Row, Fermi), 0.5);
  EXPECT_EQ(performanceOccupancy(Row, Fermi)->Threads, 384);
  EXPECT_EQ(performanceOccupancy(Row, Fermi)->Cycles, 5000);
  Row.Scheduled.Cycles.reset();
  EXPECT_FALSE(performanceOccupancy(Row, Fermi));
}

TEST(OccupancySearch, OfTheHighestROAllAreMeasured) {
  std::vector<VariantResult> Rows = {registersRow(1, 32), registersRow(0.5, 64), registersRow(0.5, 63),
                                     registersRow(0.25, 128), VariantResult()};
  std::unique_ptr<Strategy> S = makeRegisterOccupancyStrategy();
  EXPECT_EQ(S->nextBatch(Rows), (Indices{0, 1, 3}));
  EXPECT_EQ(S->whyDone(), "RO is highest, 0.125, for 3 of 5 variants");
  Rows[0].Status = VariantStatus::Slow;
  Rows[1].OnGpu.MedianMs = Rows[3].OnGpu.MedianMs = 1;
  EXPECT_EQ(S->nextBatch(Rows), Indices());
}

TEST(OccupancySearch, WhatIsWrongMakesRoomForTheNextRO) {
  std::vector<VariantResult> Rows = {registersRow(1, 40), registersRow(1, 32), registersRow(1, 24)};
  std::unique_ptr<Strategy> S = makeRegisterOccupancyStrategy();
  EXPECT_EQ(S->nextBatch(Rows), Indices{0});
  Rows[0].Status = VariantStatus::Wrong;
  EXPECT_EQ(S->nextBatch(Rows), Indices{1});
}

TEST(OccupancySearch, WhatSpillsIsACandidateAndADuplicateIsNot) {
  std::vector<VariantResult> Rows = {registersRow(1, 32), registersRow(1, 40), registersRow(1, 48)};
  Rows[1].Status = VariantStatus::Spills;
  Rows[2].Twin = {1, TwinKind::MachineCode};
  EXPECT_EQ(makeRegisterOccupancyStrategy()->nextBatch(Rows), Indices{1});
}

TEST(OccupancySearch, TheParetoSetOfEachTotalNumberOfThreads) {
  std::vector<VariantResult> Rows = {cyclesRow(1, 900), cyclesRow(0.5, 500), cyclesRow(0.5, 600),
                                     cyclesRow(0.25, 500), cyclesRow(0.25, 400),
                                     // With twice as many threads, where nothing of the above keeps it out.
                                     cyclesRow(0.25, 5000, 16)};
  EXPECT_EQ(performanceOccupancySet(Rows), (Indices{0, 1, 4, 5}));
  std::unique_ptr<Strategy> S = makePerformanceOccupancyStrategy();
  EXPECT_EQ(S->nextBatch(Rows), (Indices{0, 1, 4, 5}));
  EXPECT_EQ(S->nextBatch(Rows), Indices());
  EXPECT_EQ(S->whyDone(), "4 of 6 variants are Pareto-optimal in PO");
}

TEST(OccupancySearch, LastBlocksThatAreNotFullMakeNoOtherNumberOfThreads) {
  auto Launched = [](int64_t Grid, int64_t Block, double Cycles) {
    VariantResult Row = cyclesRow(0.5, Cycles, Grid);
    Row.Launch.Block = {Block, 1, 1};
    return Row;
  };
  // A thousand threads in blocks of 64, 96 and 1024, and two thousand.
  std::vector<VariantResult> Rows = {Launched(16, 64, 500), Launched(11, 96, 400), Launched(1, 1024, 600),
                                     Launched(32, 64, 700)};
  EXPECT_EQ(performanceOccupancySet(Rows), (Indices{1, 3}));
}

TEST(OccupancySearch, BlocksOfADeviceAreNotRoundedUp) {
  auto Launched = [](int64_t X, int64_t Y) {
    VariantResult Row = cyclesRow(1, 512.0 / double(X * Y), 132);
    Row.Launch.Block = {X, Y, 1};
    Row.Parts.Pipeline = {{"gpu-persistent", {}}};
    return Row;
  };
  std::vector<VariantResult> Rows = {Launched(16, 8), Launched(16, 16), Launched(32, 8), Launched(32, 32)};
  EXPECT_EQ(performanceOccupancySet(Rows), (Indices{0, 1, 2, 3}));
}

TEST(OccupancySearch, EqualsStandBesideEachOther) {
  std::vector<VariantResult> Rows = {cyclesRow(0.5, 500), cyclesRow(0.5, 500), cyclesRow(0.5, 501)};
  EXPECT_EQ(performanceOccupancySet(Rows), (Indices{0, 1}));
}

TEST(OccupancySearch, TheFilterComesAfterTheParetoSet) {
  // The second would be optimal if the first were not looked at.
  std::vector<VariantResult> Rows = {cyclesRow(0.75, 500), cyclesRow(0.5, 500), cyclesRow(0.5, 450),
                                     cyclesRow(0.3, 400), cyclesRow(0.25, 300)};
  EXPECT_EQ(performanceOccupancySet(Rows, nullptr, PublishedFilter), (Indices{2, 3}));
  EXPECT_EQ(makePerformanceOccupancyStrategy(PublishedFilter)->nextBatch(Rows), (Indices{2, 3}));
}

TEST(OccupancySearch, NothingIsMeasuredWithoutCyclesOrBeyondTheFilter) {
  std::vector<VariantResult> Rows = {registersRow(0.5, 32)};
  std::unique_ptr<Strategy> S = makePerformanceOccupancyStrategy();
  EXPECT_EQ(S->nextBatch(Rows), Indices());
  EXPECT_EQ(S->whyDone(), "no variant has cycles of one thread");
  Rows = {cyclesRow(1, 500), cyclesRow(0.75, 400)};
  S = makePerformanceOccupancyStrategy(PublishedFilter);
  EXPECT_EQ(S->nextBatch(Rows), Indices());
  EXPECT_EQ(S->whyDone(),
            "none of the 2 variants that are Pareto-optimal in PO, of 2, has an occupancy of 0.30 to 0.50");
  Rows.push_back(cyclesRow(0.5, 300));
  EXPECT_EQ(S->nextBatch(Rows), Indices{2});
  EXPECT_EQ(S->whyDone(),
            "3 of 3 variants are Pareto-optimal in PO, 1 of them with an occupancy of 0.30 to 0.50");
  for (VariantResult &Row : Rows)
    Row.Status = VariantStatus::Wrong;
  EXPECT_EQ(S->nextBatch(Rows), Indices());
  EXPECT_EQ(S->whyDone(), "no variant is right");
}

TEST(OccupancySearch, RowsThatAreNotLookedAtKeepNothingOut) {
  std::vector<VariantResult> Rows = {cyclesRow(0.5, 500), cyclesRow(0.5, 600)};
  auto NotTheFirst = [](size_t Row) { return Row != 0; };
  EXPECT_EQ(makePerformanceOccupancyStrategy()->nextBatch(Rows, NotTheFirst), Indices{1});
  Rows = {registersRow(1, 40), registersRow(1, 32)};
  EXPECT_EQ(makeRegisterOccupancyStrategy()->nextBatch(Rows, NotTheFirst), Indices{1});
}
