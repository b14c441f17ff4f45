//===- ModelGuidedTest.cpp - Measuring in the order of a model -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/ModelGuided.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

using Indices = std::vector<size_t>;

namespace {

struct Table {
  std::vector<VariantResult> Rows;
  std::unique_ptr<Strategy> Guided = makeModelGuidedStrategy();

  /// In a family of its own.
  VariantResult &add(double Ms, ModelTerm Bound = ModelTerm::L1) {
    return add(Ms, "p<f=" + std::to_string(Rows.size() + 1) + ">", Bound);
  }
  VariantResult &add(double Ms, const std::string &Text, ModelTerm Bound = ModelTerm::L1) {
    VariantResult &Row = Rows.emplace_back();
    Row.Parts = cantFail(parseVariant(Text));
    Row.Modelled = {Ms, Ms, Bound, false, ""};
    return Row;
  }
  /// In three blocks each, which the model takes for equal.
  void addFiveFamilies() {
    for (size_t Family = 0; Family != 5; ++Family)
      for (StringRef Block : {"", "block=32,1,1 ", "block=64,1,1 "})
        add(1 + 0.1 * double(Family), (Block + "p<f=" + std::to_string(Family) + ">").str());
  }
  Indices next() { return Guided->nextBatch(Rows); }
  /// So many times as long as modelled.
  void measure(ArrayRef<size_t> Batch, double Times = 1) {
    for (size_t Row : Batch)
      Rows[Row].OnGpu.MedianMs = Times * *Rows[Row].Modelled.Ms;
  }
  /// All that is asked for, in its order.
  Indices measureAll() {
    Indices All;
    for (Indices Batch = next(); !Batch.empty(); Batch = next()) {
      measure(Batch);
      All.insert(All.end(), Batch.begin(), Batch.end());
    }
    return All;
  }
};

} // namespace

TEST(ModelGuided, TheBestFamiliesComeFirstAndOthersThatAreSpread) {
  Table T;
  for (size_t Family = 0; Family != 12; ++Family)
    for (StringRef Block : {"block=64,1,1 ", "", "block=32,1,1 "})
      T.add(1 + 0.1 * double(Family) + (Block.empty() ? 0 : 0.01),
            (Block + "p<f=" + std::to_string(Family) + ">").str());
  EXPECT_EQ(T.next(), (Indices{1, 4, 7, 10, 13, 25}))
      << "the first of five, the fifth among them, and of the ninth";
  EXPECT_EQ(T.next(), Indices()) << "before there are times";
}

TEST(ModelGuided, TheSourceAsWrittenIsAmongTheFirst) {
  Table T;
  for (size_t Family = 0; Family != 12; ++Family)
    T.add(1 + 0.1 * double(Family));
  T.add(9, "");
  T.add(8, "block=32,1,1 gpu-registers<max=64>");
  EXPECT_EQ(T.next(), (Indices{0, 1, 2, 3, 4, 13, 8})) << "13: of the same family";
}

TEST(ModelGuided, WhatIsLeftOfAFamilyFollowsWhatWasMeasuredOfIt) {
  Table T;
  T.addFiveFamilies();
  Indices First = T.next();
  EXPECT_EQ(First, (Indices{0, 3, 6, 9, 12}));
  for (size_t Row : First)
    T.measure(Row, Row == 12 ? 0.5 : 1);
  EXPECT_EQ(T.next(), (Indices{13, 14})) << "the fifth family is faster than the model says";
}

TEST(ModelGuided, TheBestByTheOtherModelledTimeIsAmongTheFirst) {
  Table T;
  for (size_t Family = 0; Family != 12; ++Family)
    T.add(1 + 0.1 * double(Family));
  T.Rows[10].Modelled.QueuedMs = 0.5;
  EXPECT_EQ(T.next(), (Indices{0, 1, 2, 3, 4, 10, 8})) << "behind the five";
}

TEST(ModelGuided, WithTimesItBeginsWithTheSameLessWhatHasOne) {
  Table T;
  T.addFiveFamilies();
  for (size_t Row : {1, 3, 8, 14})
    T.measure(Row); // All of them at what the model says, so that nothing else can be faster but row 0.
  EXPECT_EQ(T.next(), (Indices{0, 6, 9, 12})) << "the first of each family, as without times";
}

TEST(ModelGuided, OfEqualOnesThatWithBetterMetricsComesFirst) {
  Table T;
  for (double Efficiency : {1, 3, 2}) {
    VariantResult &Row = T.add(1);
    Row.Efficiency = Efficiency;
    Row.Utilization = 1;
  }
  EXPECT_EQ(T.next(), (Indices{1, 2, 0}));
}

TEST(ModelGuided, WhatWasMeasuredChangesTheOrder) {
  Table T;
  for (double Ms : {1.0, 1.01, 1.02, 1.03, 1.04, 1.05, 1.06, 1.07})
    T.add(Ms);
  for (double Ms : {1.10, 1.11, 1.12, 1.13, 1.14})
    T.add(Ms, ModelTerm::Dram);
  Indices First = T.next();
  EXPECT_EQ(First, (Indices{0, 1, 2, 3, 4, 8}));
  for (size_t Row : First)
    T.measure(Row, Row == 8 ? 0.2 : 1);
  EXPECT_EQ(T.next(), (Indices{9, 10})) << "others that device memory bounds";
}

TEST(ModelGuided, ItEndsWhereNothingCanBeFaster) {
  Table T;
  for (size_t I = 0; I != 100; ++I)
    T.add(1 + 0.1 * double(I));
  Indices All = T.measureAll();
  EXPECT_EQ(All.size(), 9u) << "nine are the least that say anything with 90 %";
  EXPECT_EQ(
      T.Guided->whyDone(),
      "9 variants were measured in the order of the model, corrected by their times; as far as 90 % of its "
      "errors tell, none of the 91 left is more than 1 % faster than the fastest");
}

TEST(ModelGuided, ItGoesOnWhileTheLastOnesAreFaster) {
  Table T;
  for (size_t I = 0; I != 40; ++I)
    T.add(1 + 0.001 * double(I));
  double Times = 2;
  for (Indices Batch = T.next(); !Batch.empty(); Batch = T.next())
    for (size_t Row : Batch)
      T.measure(Row, Times *= 0.99);
  EXPECT_EQ(T.Guided->whyDone(), "all 40 variants that the model can rank were measured");
}

TEST(ModelGuided, OneThatTurnsOutWrongIsNoneOfTheBest) {
  Table T;
  for (size_t I = 0; I != 30; ++I)
    T.add(1 + 0.2 * double(I));
  Indices All = T.measureAll();
  EXPECT_EQ(T.next(), Indices());
  // The fastest, all but the last of the measured ones: what is left may be faster than that.
  for (size_t Row : ArrayRef(All).drop_back())
    T.Rows[Row].Status = VariantStatus::Wrong;
  EXPECT_EQ(T.next().size(), 2u);
}

TEST(ModelGuided, AnAnswerThatIsNoTimeIsAnAnswer) {
  Table T;
  for (size_t I = 0; I != 6; ++I)
    T.add(1 + double(I));
  for (size_t Row : T.next())
    T.Rows[Row].Status = VariantStatus::Fault;
  EXPECT_EQ(T.next(), Indices{5});
}

static Table mixed() {
  Table T;
  for (size_t I = 0; I != 60; ++I)
    T.add(1 + 0.002 * double(I * 7 % 60), I % 3 ? ModelTerm::L1 : ModelTerm::Dram);
  return T;
}

TEST(ModelGuided, TheSameTimesGiveTheSameOrder) {
  Table Once = mixed(), Again = mixed();
  Indices All = Once.measureAll();
  EXPECT_EQ(All, Again.measureAll());
  EXPECT_LT(All.size(), 20u);
}

TEST(ModelGuided, WhatHasATimeIsNotAskedForAgain) {
  Table T = mixed();
  Indices First = mixed().next();
  T.measure(First);
  for (size_t Row : T.measureAll())
    EXPECT_FALSE(is_contained(First, Row));
}

TEST(ModelGuided, WhatTheModelHasNoTimeOfIsSearchedByTheMetrics) {
  Table T;
  T.add(1);
  for (double Metric : {1, 2}) {
    VariantResult &Row = T.add(1);
    Row.Modelled = {};
    Row.Efficiency = Row.Utilization = Metric;
  }
  EXPECT_EQ(T.next(), (Indices{2, 1, 0}));
}

TEST(ModelGuided, WithoutAnyModelItIsTheDefaultSearch) {
  Table T;
  for (double Metric : {1, 2, 3}) {
    VariantResult &Row = T.add(1);
    Row.Modelled = {};
    Row.Efficiency = Row.Utilization = Metric;
  }
  EXPECT_EQ(T.next(), makeSearchStrategy()->nextBatch(T.Rows));
  EXPECT_EQ(T.Guided->whyDone(), "no variant can be ranked by the model");
}

TEST(ModelGuided, ATimeWithoutWhatBoundsItIsNone) {
  Table T;
  VariantResult &Row = T.add(1);
  Row.Modelled.Bound.reset();
  Row.Efficiency = Row.Utilization = 1;
  EXPECT_EQ(T.next(), Indices{0});
  EXPECT_EQ(T.Guided->whyDone(), "no variant can be ranked by the model");
}

TEST(ModelGuided, WhatIsNotLookedAtOrMustNotWinIsNotAskedFor) {
  Table T;
  T.add(1).NoWin = "reads what nobody wrote";
  T.add(2).Twin = {2, TwinKind::MachineCode};
  T.add(3);
  T.add(4);
  EXPECT_EQ(T.Guided->nextBatch(T.Rows, [](size_t Row) { return Row != 3; }), Indices{2});
}
