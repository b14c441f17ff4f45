//===- BatchChooserTest.cpp - Which variants a tuning run measures next -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/BatchChooser.h"
#include "ExpectedTesting.h"

using namespace llvm;
using namespace gpuprune;

using Indices = std::vector<size_t>;

namespace {

const DefineSetting AuthorTile{"TILE", "16"};

struct Table {
  TuneReport Report;
  std::vector<Variant> Variants;

  Table() { Report.AuthorDefines = {AuthorTile}; }

  VariantResult &add(StringRef Text, double Efficiency, double Utilization) {
    Variants.push_back(test::valueOf(parseVariant(Text)));
    VariantResult &Row = Report.Variants.emplace_back();
    Row.Parts = Variants.back();
    Row.Efficiency = Efficiency;
    Row.Utilization = Utilization;
    return Row;
  }
  BatchChooser chooser(const BatchOptions &Options) const { return {Options, Variants, AuthorTile}; }
};

BatchOptions paretoOnly() {
  BatchOptions Options;
  Options.AtLeast = 0;
  return Options;
}

} // namespace

TEST(BatchChooser, TheBestWithTheAuthorsDefinesIsAskedForToo) {
  Table T;
  T.add("-DTILE=32 gpu-unroll<loop=0;factor=2>", 9, 9);
  T.add("-DTILE=16 gpu-unroll<loop=0;factor=2>", 5, 5);
  T.add("-DTILE=16 gpu-unroll<loop=0;factor=4>", 4, 4);
  BatchChooser Chooser = T.chooser(paretoOnly());
  EXPECT_EQ(Chooser.next(T.Report), (Indices{0, 1}));
  EXPECT_EQ(Chooser.next(T.Report), Indices());
  T.Report.Variants[1].Status = VariantStatus::Wrong;
  EXPECT_EQ(Chooser.next(T.Report), (Indices{2})) << "what it kept off the set";
}

TEST(BatchChooser, TheMostPromisingComesFirst) {
  Table T;
  T.add("", 1, 9);
  T.add("gpu-unroll<loop=0;factor=2>", 8, 8);
  T.add("gpu-unroll<loop=0;factor=4>", 9, 1.5);
  EXPECT_EQ(T.chooser(paretoOnly()).next(T.Report), (Indices{1, 2, 0}));
}

TEST(BatchChooser, EachChoiceAloneHasRowsOfItsOwn) {
  Table T;
  T.add("-DTILE=16 gpu-unroll<loop=0;factor=2>,gpu-registers<max=64>", 9, 9);
  T.add("-DTILE=16 gpu-unroll<loop=0;factor=2>", 2, 2);
  T.add("-DTILE=16 gpu-registers<max=64>", 1, 1);
  T.add("-DTILE=16 gpu-registers<max=32>", 0.5, 0.5);
  BatchOptions Options = paretoOnly();
  EXPECT_EQ(T.chooser(Options).next(T.Report), (Indices{0}));
  Options.EachAlone = 1;
  EXPECT_EQ(T.chooser(Options).next(T.Report), (Indices{0, 1, 2}));
  Options.All = true;
  EXPECT_EQ(T.chooser(Options).next(T.Report), (Indices{0, 1, 2, 3}));
}

TEST(BatchChooser, OfAChoiceAloneItsTwinIsMeasured) {
  Table T;
  T.add("-DTILE=16 gpu-unroll<loop=0;factor=2>,gpu-registers<max=64>", 1, 1);
  T.add("-DTILE=16 gpu-unroll<loop=0;factor=4>,gpu-registers<max=64>", 9, 9);
  VariantResult &Twin = T.add("-DTILE=16 gpu-unroll<loop=0;factor=2>", 1, 1);
  Twin.Twin = {0, TwinKind::Ptx};
  BatchOptions Options = paretoOnly();
  Options.EachAlone = 1;
  EXPECT_EQ(T.chooser(Options).next(T.Report), (Indices{1, 0}));
}

TEST(BatchChooser, EarlyOneOfEachClusterThenWhatIsWantedOfTheBuilt) {
  Table T;
  for (const char *Factor : {"2", "3", "4"})
    T.add(("gpu-unroll<loop=0;factor=" + Twine(Factor) + ">").str(), 5, 5);
  T.add("gpu-registers<max=64>", 4, 6).Status = VariantStatus::Skipped; // Not built yet.
  BatchChooser Chooser = T.chooser(paretoOnly());
  EXPECT_EQ(Chooser.early(T.Report), (Indices{0}));
  EXPECT_EQ(Chooser.early(T.Report), (Indices{1, 2}));
  EXPECT_EQ(Chooser.early(T.Report), Indices()); // Nothing that is not built.
  T.Report.Variants[3].Status = VariantStatus::Ok;
  EXPECT_EQ(Chooser.early(T.Report), (Indices{3}));
  EXPECT_EQ(Chooser.next(T.Report), Indices());
}

TEST(BatchChooser, EarlyGuessesAreFewAndCountLater) {
  Table T;
  for (unsigned Factor = 0; Factor != 12; ++Factor)
    T.add(("gpu-unroll<loop=0;factor=" + Twine(Factor + 2) + ">").str(), 5, 5);
  BatchOptions Options = paretoOnly();
  Options.Strategy.OfCluster = 7;
  BatchChooser Chooser = T.chooser(Options);
  auto Measure = [&](const Indices &Batch) {
    for (size_t Row : Batch)
      T.Report.Variants[Row].OnGpu.MedianMs = 1;
    return Batch.size();
  };
  EXPECT_EQ(Measure(Chooser.early(T.Report)), 1u);
  EXPECT_EQ(Measure(Chooser.early(T.Report)), 4u);
  EXPECT_EQ(Measure(Chooser.next(T.Report)), 2u);
  EXPECT_EQ(Measure(Chooser.early(T.Report)), 0u);
}

TEST(BatchChooser, EarlyNeighboursOfTheFastestComeBeforeWhatPromisesMore) {
  Table T;
  T.add("gpu-registers<max=64>", 10, 10);
  T.add("gpu-block-coarsen<x=8;y=8>", 9, 9); // In layers below it, in this order.
  T.add("gpu-block-coarsen<x=4;y=4>", 8, 8);
  T.add("gpu-block-coarsen<x=2;y=2>", 7, 7);
  T.add("gpu-block-coarsen<x=4;y=2>", 6, 6);
  T.add("gpu-unroll<loop=0;factor=2>,gpu-registers<max=64>", 1, 1);
  BatchOptions Options;
  Options.AtLeast = 24;
  BatchChooser Chooser = T.chooser(Options);
  EXPECT_EQ(Chooser.early(T.Report), (Indices{0}));
  T.Report.Variants[0].OnGpu.MedianMs = 1;
  T.Report.Variants[0].OnGpu.Outcome = CheckOutcome::Bitwise;
  ASSERT_EQ(T.Report.winner(), 0u);
  EXPECT_EQ(Chooser.early(T.Report), (Indices{5, 1, 2, 3}));
}

TEST(BatchChooser, WhereTheModelChoosesItsFirstChoiceIsAskedFor) {
  Table T;
  BatchOptions Options;
  Options.Kind = SearchKind::Model;
  for (double Ms : {3, 1, 2})
    T.add("gpu-unroll<loop=0;factor=" + std::to_string(int(Ms) + 1) + ">", Ms, Ms).Modelled.Ms = Ms;
  T.Report.Stock.Modelled.Ms = 2.5;
  BatchChooser Chooser = T.chooser(Options);
  EXPECT_EQ(Chooser.next(T.Report), Indices{1});
  EXPECT_EQ(Chooser.next(T.Report), Indices()) << "while it is right";
  T.Report.Variants[1].Status = VariantStatus::Wrong;
  EXPECT_EQ(Chooser.next(T.Report), Indices{2});
  T.Report.Variants[2].Status = VariantStatus::Wrong;
  EXPECT_EQ(Chooser.next(T.Report), Indices()) << "the source as written is faster than what is left";
}

TEST(BatchChooser, TheModelsOrderIsKept) {
  Table T;
  BatchOptions Options;
  Options.Kind = SearchKind::ModelGuided;
  for (double Ms : {3, 1, 2})
    T.add("gpu-unroll<loop=0;factor=" + std::to_string(int(Ms) + 1) + ">", Ms, Ms).Modelled = {
        Ms, Ms, ModelTerm::L1, false, ""};
  BatchChooser Chooser = T.chooser(Options);
  EXPECT_EQ(Chooser.next(T.Report), (Indices{1, 2, 0}));
  for (VariantResult &Row : T.Report.Variants)
    Row.OnGpu.MedianMs = *Row.Modelled.Ms;
  EXPECT_EQ(Chooser.next(T.Report), Indices());
  EXPECT_EQ(Chooser.whyDone(), "all 3 variants that the model can rank were measured");
}

TEST(BatchChooser, EarlyTheModelGuidesAmongWhatItHasRanked) {
  Table T;
  BatchOptions Options;
  Options.Kind = SearchKind::ModelGuided;
  for (double Ms : {3, 1, 2})
    T.add("gpu-unroll<loop=0;factor=" + std::to_string(int(Ms) + 1) + ">", Ms, Ms);
  BatchChooser Chooser = T.chooser(Options);
  auto Model = [&](size_t Row, double Ms) {
    T.Report.Variants[Row].Modelled = {Ms, Ms, ModelTerm::L1, false, ""};
  };
  EXPECT_EQ(Chooser.early(T.Report), Indices()) << "nothing is modelled";
  Model(0, 3);
  EXPECT_EQ(Chooser.early(T.Report), Indices{0});
  T.Report.Variants[0].OnGpu.MedianMs = 3;
  Model(1, 1);
  EXPECT_EQ(Chooser.early(T.Report), Indices{1});
  T.Report.Variants[1].OnGpu.MedianMs = 1;
  Model(2, 2);
  EXPECT_EQ(Chooser.next(T.Report), Indices{2});
}

TEST(BatchChooser, ThePublishedSearchesMeasureNothingElse) {
  Table T;
  auto Add = [&](StringRef Text, double Occupancy, unsigned Registers, double Cycles) {
    // By the metrics, a set of its own with the author's defines.
    VariantResult &Row = T.add(Text, 9 - Cycles, 9 - Cycles);
    Row.Launch.Grid = Row.Launch.Block = {8, 1, 1};
    Row.Occupancy = Occupancy;
    Row.Registers = Registers;
    Row.Scheduled.Cycles = Cycles;
  };
  Add("-DTILE=32 gpu-unroll<loop=0;factor=2>", 1, 64, 4);
  Add("-DTILE=32 gpu-unroll<loop=0;factor=4>", 0.5, 96, 2);
  Add("-DTILE=16 gpu-unroll<loop=0;factor=2>", 0.25, 128, 1);
  Add("-DTILE=16 gpu-unroll<loop=0;factor=4>", 0.25, 128, 8);
  auto Chosen = [&](SearchKind Kind) {
    BatchOptions Options;
    Options.Kind = Kind;
    Indices Batch = T.chooser(Options).next(T.Report);
    llvm::sort(Batch);
    return Batch;
  };
  EXPECT_EQ(Chosen(SearchKind::Exhaustive), (Indices{0, 1, 2, 3}));
  EXPECT_EQ(Chosen(SearchKind::RegisterOccupancy), (Indices{0}));
  EXPECT_EQ(Chosen(SearchKind::PerformanceOccupancy), (Indices{0, 1, 2}));
  EXPECT_EQ(Chosen(SearchKind::FilteredPerformanceOccupancy), (Indices{1}));
  EXPECT_EQ(Chosen(SearchKind::Pareto), (Indices{2})) << "of all, and with the author's defines";
}
