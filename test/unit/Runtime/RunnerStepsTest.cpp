//===- RunnerStepsTest.cpp - Programs of several launches ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RunnerTesting.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::protocol;
using namespace gpuprune::testing;

namespace {

/// C = 4 A through T, which is temporary.
class RunnerSteps : public ::testing::Test {
protected:
  Scratch Files;

  Launch step(StringRef Symbol, uint32_t From, uint32_t To, int Count = 1000) {
    Launch L = program(Files.cubin(), Symbol, Count).Launches.front();
    L.Args[0] = protocol::Argument::buffer(From);
    L.Args[1] = protocol::Argument::buffer(To);
    return L;
  }
  /// \p First and \p Second, beside right ones.
  Job through(StringRef First, StringRef Second) {
    Job J = job(Files.cubin(), "right");
    Problem &P = J.Checks[0];
    P.Buffers.push_back({"T", ElementType::F32, 1000, Fill(), BufferRole::Out});
    P.Buffers.back().Compared = false;
    P.Candidate.Launches = {step(First, 0, 2), step(Second, 2, 1)};
    P.Reference->Launches = {step("right", 0, 2), step("right", 2, 1)};
    return J;
  }
};

} // namespace

TEST_F(RunnerSteps, WhatIsLeftInATemporaryBufferMayDiffer) {
  Job J = through("other", "other");
  // The candidate uses T once more, when it is dead.
  J.Checks[0].Candidate.Launches.push_back(step("right", 1, 2));
  Result R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
  EXPECT_EQ(R.Check, CheckOutcome::Bitwise);
  J.Checks[0].Buffers[2].Compared = true;
  R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Wrong);
  EXPECT_NE(R.Message.find("buffer T, value at 0"), std::string::npos) << R.Message;
}

TEST_F(RunnerSteps, WhatGoesWrongOnTheWayShowsInTheOutputs) {
  Result R = runJob(through("wrong", "other"));
  EXPECT_EQ(R.Status, ResultStatus::Wrong);
  EXPECT_NE(R.Message.find("buffer C, value at 5"), std::string::npos) << R.Message;
  EXPECT_EQ(runJob(through("behind", "other")).Status, ResultStatus::Wrong) << "guard zones are those of all";
}

TEST_F(RunnerSteps, ReadingWhatNobodyWroteToATemporaryBufferShows) {
  Job J = through("right", "right");
  J.Checks[0].Candidate.Launches[0] = step("right", 0, 2, 999);
  Result R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Wrong);
  EXPECT_NE(R.Message.find("buffer C, value at 999"), std::string::npos) << R.Message;
  J.Checks[0].Reference = J.Checks[0].Candidate;
  R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Reference);
  EXPECT_NE(R.Message.find("buffer C, element 999 differs between two runs"), std::string::npos) << R.Message;
}

TEST_F(RunnerSteps, ATemporaryBufferIsNoOutput) {
  Job J = through("right", "right");
  J.Checks[0].Open = {{2, true, true, "why"}};
  EXPECT_NE(runJob(J).Message.find("open: the buffer T is not compared"), std::string::npos);
  J = through("right", "right");
  J.Checks[0].Expected = {{2, "beef", ""}};
  EXPECT_NE(runJob(J).Message.find("expected: the buffer T is not compared"), std::string::npos);
  J = through("right", "right");
  J.Checks[0].Buffers[0].Compared = false;
  EXPECT_NE(runJob(J).Message.find("buffer A: it has the role in and is not compared"), std::string::npos);
  J = through("right", "right");
  J.Checks[0].Buffers[1].Compared = false;
  EXPECT_EQ(runJob(J).Check, CheckOutcome::Skipped) << "nothing is compared, so nothing is right";
}

TEST_F(RunnerSteps, OneWrongIterationOfManyIsFound) {
  Job J = through("right", "right");
  Problem &P = J.Checks[0];
  P.Candidate.Launches.clear();
  for (int K = 0; K != 101; ++K)
    P.Candidate.Launches.push_back(step("other", K % 2 ? 2 : 0, K % 2 ? 0 : 2));
  P.Candidate.Launches.push_back(step("other", 2, 1));
  P.Buffers[0].Role = BufferRole::InOut;
  P.Reference = P.Candidate;
  for (Launch &L : P.Reference->Launches)
    L.Symbol = "right";
  Result R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
  P.Candidate.Launches[7].Symbol = "wrong";
  R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Wrong);
  EXPECT_NE(R.Message.find("buffer A, value at 5"), std::string::npos) << R.Message;
  // Left out, and at another memory.
  P.Candidate = *P.Reference;
  P.Candidate.Launches.erase(P.Candidate.Launches.begin() + 7, P.Candidate.Launches.begin() + 9);
  EXPECT_EQ(runJob(J).Status, ResultStatus::Wrong);
  P.Candidate = *P.Reference;
  std::swap(P.Candidate.Launches[7].Args[0], P.Candidate.Launches[7].Args[1]);
  EXPECT_EQ(runJob(J).Status, ResultStatus::Wrong) << "from the memory that it writes to";
}
