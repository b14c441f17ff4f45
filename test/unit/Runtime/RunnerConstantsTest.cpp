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

  /// \p J where each copy to a symbol takes \p CopyMs.
  Result runWithCopiesOf(StringRef CopyMs, const Job &J) {
    RunnerOptions Options;
    Options.Commands = {runnerCommand(("FAKE_CUDA_COPY_MS=" + CopyMs).str())};
    std::vector<Result> R = runJobs(Options, {J});
    EXPECT_EQ(R.size(), 1u);
    return R.empty() ? Result() : R[0];
  }
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
  Job J = copyingJob(Files.cubin(), 1, 2, 0);
  J.Timing->Samples = 7;
  Result R = runWithCopiesOf("0.5", J);
  EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
  EXPECT_EQ(R.MedianMs, 1.5);
  EXPECT_EQ(R.SamplesMs, std::vector<double>(7, 1.5)); // In the run that is checked after timing, too.
  EXPECT_EQ(R.BaselineMedianMs, 1.0);
}

TEST_F(RunnerConstants, TheCopyCountsForTheLimit) {
  Job J = copyingJob(Files.cubin(), 1, 2, 0);
  J.Timing->LimitMs = 5;
  Result R = runWithCopiesOf("10", J);
  EXPECT_EQ(R.Status, ResultStatus::Slow) << R.Message;
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
