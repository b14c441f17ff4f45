//===- JoinBuiltTest.cpp - Built variants in the table ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/JoinBuilt.h"
#include "ExpectedTesting.h"

using namespace llvm;
using namespace gpuprune;

namespace {

VariantResult built(StringRef Text, double Efficiency, double Utilization) {
  VariantResult Row;
  Row.Parts = test::valueOf(parseVariant(Text));
  Row.Efficiency = Efficiency;
  Row.Utilization = Utilization;
  Row.Registers = 32;
  return Row;
}

class JoinBuilt : public testing::Test {
protected:
  TuneReport Report;
  PruneOptions Options{*test::valueOf(findDevice("sm_90")), {}};

  /// A table of three that are not built yet.
  JoinBuilt() {
    for (const char *Text : {"a", "b", "c"}) {
      VariantResult Row;
      Row.Parts = test::valueOf(parseVariant(Text));
      Row.Status = VariantStatus::Skipped;
      Report.Variants.push_back(Row);
    }
  }
  const VariantResult &row(size_t I) const { return Report.Variants[I]; }
};

} // namespace

TEST_F(JoinBuilt, TheParetoSetIsThatOfWhatIsBuilt) {
  VariantResult A = built("a", 1, 1), B = built("b", 2, 2);
  joinBuilt(Report, {{0, A}}, Options);
  EXPECT_TRUE(row(0).Pareto);
  EXPECT_EQ(row(1).Status, VariantStatus::Skipped);
  joinBuilt(Report, {{1, B}}, Options);
  EXPECT_FALSE(row(0).Pareto);
  EXPECT_TRUE(row(1).Pareto);
}

TEST_F(JoinBuilt, WhatWasFoundWrongMeanwhileStaysSo) {
  Report.Variants[0].Status = VariantStatus::Wrong; // With the reference it is compared with.
  Report.Variants[0].Message = "the reference";
  VariantResult A = built("a", 1, 1);
  joinBuilt(Report, {{0, A}}, Options);
  EXPECT_EQ(row(0).Status, VariantStatus::Wrong);
  EXPECT_EQ(row(0).Message, "the reference");
  EXPECT_EQ(row(0).Registers, 32u) << "and the rest is what was built";
}

TEST_F(JoinBuilt, AFailureToBuildIsTold) {
  Report.Variants[0].Status = VariantStatus::Wrong;
  VariantResult A = built("a", 1, 1);
  A.Status = VariantStatus::Ptxas;
  joinBuilt(Report, {{0, A}}, Options);
  EXPECT_EQ(row(0).Status, VariantStatus::Ptxas);
}

TEST_F(JoinBuilt, ATwinTakesWhatIsKnown) {
  VariantResult A = built("a", 2, 2), B = built("b", 2, 2);
  A.OnGpu.MedianMs = 5;
  B.Twin = {0, TwinKind::MachineCode};
  joinBuilt(Report, {{0, A}, {1, B}}, Options);
  EXPECT_EQ(row(1).OnGpu.MedianMs, 5.0);
  EXPECT_TRUE(row(1).Pareto);
}

TEST_F(JoinBuilt, TheTwinOfAWrongOneStandsForItself) {
  VariantResult A = built("a", 2, 2), B = built("b", 2, 2), C = built("c", 2, 2);
  A.Status = VariantStatus::Wrong;
  A.OnCpu.Outcome = CheckOutcome::Wrong;
  B.Twin = C.Twin = {0, TwinKind::MachineCode};
  joinBuilt(Report, {{0, A}, {1, B}, {2, C}}, Options);
  EXPECT_FALSE(row(1).isDuplicate());
  EXPECT_EQ(row(1).Status, VariantStatus::Ok) << "until it is found wrong itself";
  EXPECT_EQ(row(2).Status, VariantStatus::Ok);
  EXPECT_EQ(row(2).Twin->Row, 1u) << "what is the same as it follows it";
}
