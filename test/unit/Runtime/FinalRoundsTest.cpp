//===- FinalRoundsTest.cpp - The fastest are timed once more, together -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Runtime/FinalRounds.h"
#include "RunnerTesting.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::protocol;
using namespace gpuprune::testing;

namespace {

class Finals : public ::testing::Test {
protected:
  Scratch Files;
  FinalRounds Final{FinalPlan{"final@1", 9, 0.05}};

  void add(StringRef Id, double Ms, std::vector<std::string> Contests = {"all"}, StringRef Symbol = "right") {
    Job J = timedJob(Files.cubin(), Symbol);
    J.Id = Id;
    J.Timing->Contests = std::move(Contests);
    J.Timing->Watchdog = 5;
    J.Timing->ClearlySlower = J.Timing->ClearlySlowerMs = 1.25;
    J.Timing->LimitMs = 7;
    J.Timing->FlushL2 = true;
    Final.add(J);
    Final.note(result(Id, Ms));
  }
  Result result(StringRef Id, double Ms) {
    Result R;
    R.Id = Id;
    R.Check = CheckOutcome::Bitwise;
    R.MedianMs = Ms;
    R.BaselineMedianMs = 4;
    return R;
  }
  std::vector<std::string> names(const std::optional<Job> &J) {
    std::vector<std::string> Names;
    if (J)
      for (const Rival &R : J->Timing->Rivals)
        Names.push_back(R.Name);
    return Names;
  }
  using Names = std::vector<std::string>;
};

TEST_F(Finals, TheFastestAndWhoIsCloseBehindTakePart) {
  add("slow", 2);
  add("first", 1);
  add("close", 1.04);
  add("closer", 1.03);
  std::optional<Job> J = Final.next();
  EXPECT_EQ(names(J), (Names{"first", "closer", "close"}));
  EXPECT_EQ(J->Id, "final@1");
  EXPECT_EQ(J->Checks.front().Candidate, J->Timing->Rivals.front().Run.Candidate);
  EXPECT_EQ(J->Timing->Samples, 9u);
  EXPECT_TRUE(J->Timing->FlushL2) << "timed as the jobs were";
  EXPECT_FALSE(J->Timing->LimitMs || J->Timing->Watchdog);
  EXPECT_FALSE(J->Timing->ClearlySlower || J->Timing->ClearlySlowerMs);
  EXPECT_FALSE(errorToBool(validate(*J)));
}

TEST_F(Finals, TheRunnerUpTakesPartHoweverFarBehind) {
  add("first", 1);
  add("second", 3);
  add("third", 4);
  EXPECT_EQ(names(Final.next()), (Names{"first", "second"}));
}

TEST_F(Finals, ACloseFieldIsCutToFour) {
  for (int I = 0; I != 9; ++I)
    add("v" + std::to_string(I), 1 + 0.001 * I);
  EXPECT_EQ(names(Final.next()), (Names{"v0", "v1", "v2", "v3"}));
}

TEST_F(Finals, EachContestSendsItsOwn) {
  add("first", 1);
  add("second", 1.2);
  add("author's", 2, {"all", "author"});
  add("author's second", 3, {"all", "author"});
  EXPECT_EQ(names(Final.next()), (Names{"first", "second", "author's", "author's second"}));
}

TEST_F(Finals, OnlyRightResultsCount) {
  add("right", 2);
  add("wrong", 1);
  Result Wrong = result("wrong", 1);
  Wrong.Status = ResultStatus::Wrong;
  Final.note(Wrong);
  add("unchecked", 1);
  Result Unchecked = result("unchecked", 1);
  Unchecked.Check = CheckOutcome::Skipped;
  Final.note(Unchecked);
  Final.note(result("of another run", 0.1));
  EXPECT_EQ(names(Final.next()), Names{"right"});
}

TEST_F(Finals, NoneWithoutResultsOrRounds) {
  EXPECT_FALSE(Final.next());
  Final = FinalRounds(FinalPlan{"final@1", 0, 0.05});
  add("first", 1);
  EXPECT_FALSE(Final.next());
}

TEST_F(Finals, LongKernelsGetFewerRounds) {
  add("first", 1500);
  EXPECT_EQ(Final.next()->Timing->Samples, 9u);
  Final = FinalRounds(FinalPlan{"final@1", 100, 0.05});
  add("first", 1500);
  EXPECT_EQ(Final.next()->Timing->Samples, 19u) << "of 3004 ms, in a minute";
  add("first", 1);
  Final.note(result("first", 50000));
  EXPECT_EQ(Final.next()->Timing->Samples, 6u);
}

TEST_F(Finals, AFailureIsItsCulpritsAndTheRestRunAgain) {
  add("first", 1);
  add("second", 1.01);
  add("third", 1.02);
  ASSERT_TRUE(Final.next());
  Result Failed;
  Failed.Id = "final@1";
  Failed.Status = ResultStatus::Wrong;
  Failed.Culprit = "second";
  Failed.Message = "rival second: buffer C";
  Result Own = Final.settle(Failed);
  EXPECT_EQ(Own.Id, "second");
  EXPECT_EQ(Own.Status, ResultStatus::Wrong);
  EXPECT_EQ(Own.Check, CheckOutcome::Wrong);
  EXPECT_EQ(names(Final.next()), (Names{"first", "third"}));
  Failed.Culprit.clear();
  EXPECT_EQ(Final.settle(Failed).Id, "first");
  EXPECT_EQ(names(Final.next()), Names{"third"});
  EXPECT_EQ(Final.settle(result("final@1", 1)).Id, "final@1");
  EXPECT_FALSE(Final.next());
}

TEST_F(Finals, WhatIsNobodysFaultEndsIt) {
  add("first", 1);
  add("second", 1.01);
  for (ResultStatus Status : {ResultStatus::Timeout, ResultStatus::Reference, ResultStatus::Fault}) {
    ASSERT_TRUE(Final.next());
    Result R;
    R.Id = "final@1";
    R.Status = Status; // A fault without the runner's word: it died.
    EXPECT_EQ(Final.settle(R).Id, "final@1");
    EXPECT_FALSE(Final.next());
    Final = FinalRounds(FinalPlan{"final@1", 9, 0.05});
    add("first", 1);
  }
}

TEST_F(Finals, TheRunnerTimesThem) {
  add("first", 0.25, {"all"}, "fast");
  add("second", 1, {"all"}, "other");
  std::optional<Job> J = Final.next();
  ASSERT_TRUE(J);
  J->Timing->FlushL2 = false;
  Result R = runJob(*J);
  EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
  ASSERT_EQ(R.Rivals.size(), 2u);
  EXPECT_EQ(R.Rivals[0].SamplesMs, std::vector<double>(9, 0.25));
  EXPECT_EQ(R.Rivals[1].SamplesMs, std::vector<double>(9, 1.0));
  EXPECT_EQ(R.SamplesMs, R.Rivals[0].SamplesMs) << "the fastest once more";
}

TEST(FinalPlan, ComesBackAsItWas) {
  FinalPlan Plan{"final@7", 31, 0.125}, Back;
  json::Path::Root Root;
  EXPECT_TRUE(fromJSON(toJSON(Plan), Back, Root));
  EXPECT_EQ(Back, Plan);
  EXPECT_FALSE(fromJSON(json::Object{{"id", "x"}, {"rounds", 3}, {"margin", -1}}, Back, Root));
  EXPECT_FALSE(fromJSON(json::Object{{"id", ""}, {"rounds", 3}, {"margin", 0}}, Back, Root))
      << "no job has none";
  EXPECT_TRUE(fromJSON(json::Object{{"id", ""}, {"rounds", 0}, {"margin", 0}}, Back, Root)) << "no final";
}

} // namespace
