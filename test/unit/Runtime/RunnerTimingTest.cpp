//===- RunnerTimingTest.cpp - Timing and failures of single jobs ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelImages.h"
#include "RunnerTesting.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::protocol;
using namespace gpuprune::testing;

namespace {

class RunnerTiming : public ::testing::Test {
protected:
  Scratch Files;

  /// With the calls of the driver in the file "log".
  Result runLogged(const Job &J) {
    std::string Log = Files.file("log");
    llvm::sys::fs::remove(Log);
    RunnerOptions Options;
    Options.Commands = {runnerCommand("FAKE_CUDA_CALLS=" + Log + " FAKE_CUDA_LOG=" + Log)};
    std::vector<Result> R = runJobs(Options, {J});
    EXPECT_EQ(R.size(), 1u);
    EXPECT_EQ(R[0].Status, ResultStatus::Ok) << R[0].Message;
    return R[0];
  }
};

TEST_F(RunnerTiming, KeepsRawSamplesOfBothSides) {
  Result R = runJob(timedJob(Files.cubin(), "fast"));
  EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
  EXPECT_EQ(R.Check, CheckOutcome::Bitwise);
  EXPECT_EQ(R.SamplesMs, std::vector<double>(5, 0.25));
  EXPECT_EQ(R.BaselineMs, std::vector<double>(2, 1.0)) << "slower: in the first and the last round only";
  EXPECT_EQ(R.MedianMs, 0.25);
  EXPECT_EQ(R.BaselineMedianMs, 1.0);
  EXPECT_EQ(R.LaunchesPerSample, 1u);
}

TEST_F(RunnerTiming, ShortRunsAreBatchedButGivenPerRun) {
  Job J = timedJob(Files.cubin(), "fast");
  J.Timing->MinSampleMs = 10;
  Result R = runJob(J);
  EXPECT_EQ(R.LaunchesPerSample, 40u);
  EXPECT_EQ(R.MedianMs, 0.25);
}

TEST_F(RunnerTiming, RestoresBeforeEachSampleUnlessTheTimeIsFixed) {
  Job J = timedJob(Files.cubin(), "adds");
  Problem &P = J.Checks[0];
  P.Reference = program(Files.cubin(), "adds");
  P.Buffers[1].Role = BufferRole::InOut;
  J.Timing->Baseline.reset();
  auto Restores = [&](const std::string &By, bool Restore, uint32_t Samples) {
    J.Timing->Restore = Restore;
    J.Timing->Samples = Samples;
    Result R = runLogged(J);
    EXPECT_EQ(R.SamplesMs.size(), Samples);
    std::string Lines = linesOf(Files.read("log"), {By});
    return llvm::count(Lines, '\n');
  };
  // What writing takes less than a copy is made anew, if there is something to make it.
  std::vector<std::pair<FillKind, std::string>> Kinds = {{FillKind::Iota, "copy"}};
  Kinds.emplace_back(FillKind::Uniform, hasOwnKernels() ? "gpuprune_fill" : "copy");
  for (const auto &[Kind, By] : Kinds) {
    P.Buffers[1].Contents.Kind = Kind;
    EXPECT_EQ(Restores(By, true, 9) - Restores(By, true, 4), 5) << By;
    EXPECT_EQ(Restores(By, false, 9), Restores(By, false, 4)) << By;
    EXPECT_GE(Restores(By, false, 4), 4) << "of each check, two runs of both programs";
  }
}

TEST_F(RunnerTiming, WhatRunsBeforeIsNoPartOfTheTime) {
  Job J = timedJob(Files.cubin(), "fast");
  Problem &P = J.Checks[0];
  auto PutBefore = [&](Program &Run) {
    Run.Launches.insert(Run.Launches.begin(), program(Files.cubin(), "slow").Launches.front());
    Run.Untimed = 1;
  };
  PutBefore(P.Candidate);
  PutBefore(*P.Reference);
  PutBefore(*J.Timing->Baseline);
  J.Timing->MinSampleMs = 1;
  auto Launches = [&](bool Restore) {
    J.Timing->Restore = Restore;
    Result R = runLogged(J);
    EXPECT_EQ(R.MedianMs, 0.25);
    EXPECT_EQ(R.BaselineMedianMs, 1.0);
    EXPECT_EQ(R.LaunchesPerSample, 4u);
    return StringRef(Files.read("log")).count("launch slow ");
  };
  size_t Before = Launches(true), Once = Launches(false);
  EXPECT_GT(Before, Once) << "it runs before each sample where the time may depend on it";
  EXPECT_EQ(Once, 7u)
      << "else in checks, of the reference and the candidate twice and after timing once, and "
         "once for the baseline and the candidate";
  J.Timing->Rotate = 3;
  EXPECT_EQ(Launches(false), 7u + 2 * 2) << "over each copy of the buffers, which hold nothing else";
  P.Candidate.Untimed = 2;
  EXPECT_NE(runJob(J).Message.find("untimed is 2; expected fewer than the program's 2 launches"),
            std::string::npos);
}

TEST_F(RunnerTiming, TimesABaselineThatIsNotSlowerInAllRounds) {
  Job J = timedJob(Files.cubin(), "right");
  J.Timing->Baseline = program(Files.cubin(), "fast");
  EXPECT_EQ(runJob(J).BaselineMs, std::vector<double>(5, 0.25));
}

TEST_F(RunnerTiming, TimesWithoutABaseline) {
  Job J = timedJob(Files.cubin(), "fast");
  J.Timing->Baseline.reset();
  Result R = runJob(J);
  EXPECT_EQ(R.MedianMs, 0.25);
  EXPECT_TRUE(R.BaselineMs.empty());
}

TEST_F(RunnerTiming, WhatIsWrongIsNotTimed) {
  Result R = runJob(timedJob(Files.cubin(), "wrong"));
  EXPECT_EQ(R.Status, ResultStatus::Wrong);
  EXPECT_TRUE(R.SamplesMs.empty());
}

TEST_F(RunnerTiming, StopsAtTheLimit) {
  Job J = timedJob(Files.cubin(), "slow");
  J.Timing->LimitMs = 50;
  Result R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Slow);
  EXPECT_EQ(R.Check, CheckOutcome::Bitwise);
  EXPECT_EQ(R.SamplesMs, std::vector<double>{100.0});
}

TEST_F(RunnerTiming, StopsFarBehindTheBaseline) {
  Job J = timedJob(Files.cubin(), "slow");
  J.Timing->MaxSlowdown = 20;
  EXPECT_EQ(runJob(J).Status, ResultStatus::Slow);
  J.Timing->MaxSlowdown = 200;
  EXPECT_EQ(runJob(J).Status, ResultStatus::Ok);
}

TEST_F(RunnerTiming, RefusedLaunchNamesTheDriversError) {
  std::vector<Result> R = runJobs({timedJob(Files.cubin(), "refused"), timedJob(Files.cubin(), "right")});
  ASSERT_EQ(R.size(), 2u);
  EXPECT_EQ(R[0].Status, ResultStatus::Launch);
  EXPECT_NE(R[0].Message.find("CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"), std::string::npos) << R[0].Message;
  EXPECT_FALSE(R[0].RunnerEnds);
  EXPECT_EQ(R[1].Status, ResultStatus::Ok);
}

TEST_F(RunnerTiming, TooMuchDynamicSharedMemoryIsALaunchFailure) {
  Job J = job(Files.cubin(), "right");
  J.Checks[0].Candidate.Launches[0].SharedBytes = 300 * 1024;
  EXPECT_EQ(runJob(J).Status, ResultStatus::Launch);
}

TEST_F(RunnerTiming, ArgumentsAreCheckedBeforeTheLaunch) {
  Job J = job(Files.cubin(), "right");
  auto &Args = J.Checks[0].Candidate.Launches[0].Args;
  Args.pop_back();
  Result Fewer = runJob(J);
  EXPECT_EQ(Fewer.Status, ResultStatus::Launch);
  EXPECT_NE(Fewer.Message.find("gives 2 arguments"), std::string::npos) << Fewer.Message;
  Args.push_back(protocol::Argument::integer(ElementType::I64, 1000));
  EXPECT_EQ(runJob(J).Status, ResultStatus::Launch);
}

TEST_F(RunnerTiming, HiddenArgumentsFollowTheAuthors) {
  Job J = job(Files.cubin(), "right");
  Launch &L = J.Checks[0].Candidate.Launches[0];
  L.Hidden = {{HiddenParameter::GridX, uint32_t(L.Args.back().Bits)}};
  Result More = runJob(J);
  EXPECT_NE(More.Message.find("gives 4 arguments"), std::string::npos) << More.Message;
  L.Args.pop_back();
  EXPECT_EQ(runJob(J).Status, ResultStatus::Ok) << "in the place of the last";
}

TEST_F(RunnerTiming, TheRunnersOwnKernelsAreACubinWhereTheDriverTakesIt) {
  if (!hasOwnKernels())
    GTEST_SKIP() << "they are not loaded";
  auto Loaded = [&](StringRef Environment) {
    RunnerOptions Options;
    Options.Commands = {runnerCommand((Environment + " FAKE_CUDA_CALLS=" + Files.file("log")).str())};
    EXPECT_EQ(runJobs(Options, job(Files.cubin(), "right"))[0].Check, CheckOutcome::Bitwise);
    std::string Lines = linesOf(Files.read("log"), {"own_cubin", "own_ptx"});
    Files.write("log", "");
    return Lines;
  };
  EXPECT_EQ(Loaded(""), sizeof(KernelsCubin) > 1 ? "own_cubin 0\n" : "own_ptx 0\n");
  EXPECT_EQ(Loaded("FAKE_CUDA_VERSION=12040"), "own_ptx 0\n");
}

TEST_F(RunnerTiming, CubinThatDoesNotLoadIsAResult) {
  Files.write("bad.cubin", "no cubin");
  Result Bad = runJob(job(Files.file("bad.cubin"), "right"));
  EXPECT_EQ(Bad.Status, ResultStatus::Load);
  EXPECT_NE(Bad.Message.find("CUDA_ERROR_INVALID_IMAGE"), std::string::npos) << Bad.Message;
  EXPECT_EQ(runJob(job(Files.file("none.cubin"), "right")).Status, ResultStatus::Load);
  EXPECT_EQ(runJob(job(Files.cubin(), "unknown")).Status, ResultStatus::Load);
}

TEST_F(RunnerTiming, ACubinThatChangesUnderItsNameIsLoadedAgain) {
  Job J = job(Files.cubin(), "right");
  gpuprune::RunnerOptions Options;
  Options.Commands = {runnerCommand()};
  auto Client = gpuprune::RunnerClient::start(Options);
  ASSERT_TRUE(bool(Client));
  auto Status = [&] {
    ResultStatus S = ResultStatus::Error;
    EXPECT_FALSE((*Client)->run({J}, [&](const Result &R) { S = R.Status; }));
    return S;
  };
  EXPECT_EQ(Status(), ResultStatus::Ok);
  Files.write("fake.cubin", "spoiled");
  EXPECT_EQ(Status(), ResultStatus::Load);
}

TEST_F(RunnerTiming, ReferenceFailuresAreNotTheCandidates) {
  Job J = job(Files.cubin(), "right");
  J.Checks[0].Reference = program(Files.cubin(), "unknown");
  EXPECT_EQ(runJob(J).Status, ResultStatus::Reference);
  J = timedJob(Files.cubin(), "right");
  J.Timing->Baseline = program(Files.cubin(), "faults");
  Result R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Reference);
  EXPECT_TRUE(R.RunnerEnds);
}

TEST_F(RunnerTiming, WhatAKernelPrintsIsNoResult) {
  EXPECT_EQ(runJob(job(Files.cubin(), "prints")).Status, ResultStatus::Ok);
}

} // namespace
