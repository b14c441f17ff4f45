//===- RunnerConstantsTest.cpp - Arguments that are copied to symbols -------===//
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

class RunnerConstants : public ::testing::Test {
protected:
  Scratch Files;
};

/// "scales" with the symbol filled from its argument \p Argument, as part of the launch.
Job copyingJob(StringRef Cubin, double Value, int Count, uint32_t Argument) {
  Job J = timedJob(Cubin, "scales");
  Problem &P = J.Checks[0];
  P.Buffers[0].Count = P.Buffers[1].Count = Count;
  P.Buffers[0].Contents = {FillKind::Constant, Value};
  P.Candidate = program(Cubin, "scales", Count);
  P.Candidate.Launches[0].ConstantCopies = {{Argument, 8, "factors"}};
  P.Reference = program(Cubin, "right", Count);
  J.Timing->Baseline = P.Reference;
  return J;
}

TEST_F(RunnerConstants, AnArgumentIsCopiedToASymbolBeforeEachLaunch) {
  Result R = runJob(copyingJob(Files.cubin(), 1, 2, 0)); // 1 + 1 is what "right" multiplies by.
  EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
  R = runJob(copyingJob(Files.cubin(), 2, 2, 0));
  EXPECT_EQ(R.Status, ResultStatus::Wrong) << R.Message;
}

TEST_F(RunnerConstants, TheCopyIsTimedWithItsLaunch) {
  RunnerOptions Options;
  Options.Commands = {runnerCommand("FAKE_CUDA_COPY_MS=0.5")};
  Job J = copyingJob(Files.cubin(), 1, 2, 0);
  J.Timing->Samples = 7;
  std::vector<Result> R = runJobs(Options, {J});
  ASSERT_EQ(R.size(), 1u);
  EXPECT_EQ(R[0].Status, ResultStatus::Ok) << R[0].Message;
  EXPECT_EQ(R[0].MedianMs, 1.5);
  EXPECT_EQ(R[0].SamplesMs, std::vector<double>(7, 1.5)); // In the run that is checked after timing, too.
  EXPECT_EQ(R[0].BaselineMedianMs, 1.0);
}

TEST_F(RunnerConstants, TheCopyCountsForTheLimit) {
  RunnerOptions Options;
  Options.Commands = {runnerCommand("FAKE_CUDA_COPY_MS=10")};
  Job J = copyingJob(Files.cubin(), 1, 2, 0);
  J.Timing->LimitMs = 5;
  std::vector<Result> R = runJobs(Options, {J});
  ASSERT_EQ(R.size(), 1u);
  EXPECT_EQ(R[0].Status, ResultStatus::Slow) << R[0].Message;
}

TEST_F(RunnerConstants, AnArgumentThatDoesNotFitItsSymbolIsNamed) {
  Result R = runJob(copyingJob(Files.cubin(), 1, 3, 0));
  EXPECT_EQ(R.Status, ResultStatus::Launch);
  EXPECT_NE(
      R.Message.find("buffer A has 12 bytes, the symbol factors, which argument 0 of scales is copied to, "
                     "only 8"),
      std::string::npos)
      << R.Message;
  Job J = copyingJob(Files.cubin(), 1, 2, 0);
  J.Checks[0].Candidate.Launches[0].ConstantCopies = {{0, 8, "factor"}};
  R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Load);
  EXPECT_NE(R.Message.find("the symbol factor, which argument 0 of scales is copied to"), std::string::npos)
      << R.Message;
}

} // namespace
