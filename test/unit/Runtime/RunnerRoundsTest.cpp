//===- RunnerRoundsTest.cpp - Warm-up, rivals, caches, clock, watchdog -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RunnerTesting.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::protocol;
using namespace gpuprune::testing;

namespace {

class RunnerRounds : public ::testing::Test {
protected:
  Scratch Files;

  std::vector<Result> run(const Twine &Environment, ArrayRef<Job> Jobs) {
    gpuprune::RunnerOptions Options;
    Options.Commands = {runnerCommand(Environment.str())};
    return runJobs(Options, Jobs);
  }
  Result run(const Twine &Environment, const Job &J) { return run(Environment, ArrayRef<Job>(J)).front(); }

  /// The driver's calls that begin with \p Head.
  std::vector<std::string> logged(StringRef Head) {
    std::vector<std::string> Found;
    std::string Text = Files.read("log");
    for (StringRef Line : split(Text, '\n'))
      if (Line.starts_with(Head))
        Found.push_back(Line.str());
    return Found;
  }
  std::string logging() { return " FAKE_CUDA_CALLS=" + Files.file("log"); }

  Job withRivals(std::vector<std::string> Symbols) {
    Job J = timedJob(Files.cubin(), "fast");
    for (const std::string &Symbol : Symbols)
      J.Timing->Rivals.push_back({Symbol + "'s", problem(Files.cubin(), Symbol)});
    return J;
  }
};

TEST_F(RunnerRounds, WarmUpGoesOnUntilTimesAgree) {
  // The check's two runs are the first.
  Job J = timedJob(Files.cubin(), "fast");
  Result R = run("'FAKE_CUDA_TIMES=fast=9;9;8;4;2;1'", J);
  ASSERT_TRUE(R.Warmed);
  EXPECT_EQ(*R.Warmed, (WarmUp{8, 35, true}));
  EXPECT_EQ(R.SamplesMs, std::vector<double>(5, 1.0));
  // The baseline's two runs and five samples; the candidate's eight runs, with the check's, and five samples.
  EXPECT_EQ(R.TimedMs, 7 + 35 + 5);
  // Where other caches are asked for, or runs are so short that caches decide, they are not.
  J.Timing->Rotate = 2;
  EXPECT_EQ(*run("'FAKE_CUDA_TIMES=fast=9;9;8;4;2;1'", J).Warmed, (WarmUp{6, 17, true}));
  J.Timing->Rotate = 1;
  J.Timing->FlushL2 = true;
  EXPECT_EQ(*run("'FAKE_CUDA_TIMES=fast=9;9;8;4;2;1'", J).Warmed, (WarmUp{6, 17, true}));
  J.Timing->FlushL2 = false;
  EXPECT_EQ(*run("'FAKE_CUDA_TIMES=fast=9;0.125;0.5'", J).Warmed, (WarmUp{3, 1.5, true}));
}

TEST_F(RunnerRounds, TheLastRunOfTheLastSampleIsChecked) {
  auto Launches = [&] { return logged("launch fast").size(); };
  Job J = timedJob(Files.cubin(), "fast");
  J.Timing->Baseline.reset();
  // The check's two runs, one more until three agree, four samples and the checked run.
  Result R = run("'FAKE_CUDA_TIMES=fast=1;1;1;1;1;1;1;4'" + logging(), J);
  EXPECT_EQ(R.SamplesMs, std::vector<double>({1, 1, 1, 1, 4})) << R.Message;
  EXPECT_EQ(R.TimedMs, 11);
  EXPECT_EQ(Launches(), 8u);
  // Of several runs it is one. Three warm up, then three timings of three runs, four samples, and two runs.
  J.Timing->MinSampleMs = 3;
  R = run("'FAKE_CUDA_TIMES=fast=" +
              Twine(StringRef("1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;4'")) + logging(),
          J);
  EXPECT_EQ(R.LaunchesPerSample, 3u);
  EXPECT_EQ(R.SamplesMs.back(), 2) << Launches();
}

TEST_F(RunnerRounds, OnlyTheLaunchesThatWantACarveoutHaveIt) {
  // The rival runs the candidate's function.
  Job J = withRivals({"fast"});
  EXPECT_EQ(run(logging(), J).Status, ResultStatus::Ok);
  size_t All = logged("launch fast").size();
  EXPECT_TRUE(logged("carveout").empty());
  J.Checks[0].Candidate.Launches[0].SharedCarveout = 25;
  Result R = run(logging(), J);
  EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
  size_t Preferring = logged("carveout fast 25").size();
  EXPECT_EQ(logged("carveout").size(), Preferring);
  EXPECT_GE(Preferring, R.SamplesMs.size());
  EXPECT_LE(Preferring + R.Rivals[0].SamplesMs.size(), logged("launch fast").size() - All);
}

TEST_F(RunnerRounds, LaunchesOfAProgramHaveCarveoutsOfTheirOwn) {
  Job J = timedJob(Files.cubin(), "fast");
  std::vector<Launch> &Launches = J.Checks[0].Candidate.Launches;
  Launches.assign(3, Launches[0]);
  Launches[0].SharedCarveout = 25;
  Launches[2].SharedCarveout = 75;
  Result R = run(logging(), J);
  EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
  size_t Runs = logged("carveout fast 25").size();
  EXPECT_NE(Runs, 0u);
  EXPECT_EQ(logged("carveout fast 75").size(), Runs);
  EXPECT_EQ(logged("launch fast").size(), 3 * Runs);
}

TEST_F(RunnerRounds, WhatNeverGetsStableSaysSo) {
  Job J = timedJob(Files.cubin(), "fast");
  J.Timing->MaxWarmupMs = 20;
  Result R = run("'FAKE_CUDA_TIMES=fast=1;2;*'", J);
  EXPECT_EQ(R.Status, ResultStatus::Ok);
  ASSERT_TRUE(R.Warmed);
  EXPECT_FALSE(R.Warmed->Stable);
  EXPECT_GE(R.Warmed->Ms, 20);
}

TEST_F(RunnerRounds, RivalsAreTimedInTheSameRounds) {
  Result R = run("'FAKE_CUDA_TIMES=other=3,another=5'", withRivals({"other", "another"}));
  EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
  EXPECT_EQ(R.SamplesMs, std::vector<double>(5, 0.25));
  EXPECT_EQ(R.BaselineMs, std::vector<double>(5, 1.0));
  ASSERT_EQ(R.Rivals.size(), 2u);
  EXPECT_EQ(R.Rivals[0].Name, "other's");
  EXPECT_EQ(R.Rivals[0].SamplesMs, std::vector<double>(5, 3.0));
  EXPECT_EQ(R.Rivals[1].SamplesMs, std::vector<double>(5, 5.0));
}

TEST_F(RunnerRounds, EachRoundHasAllInAnOrderOfItsOwn) {
  Job J = withRivals({"other", "another"});
  J.Timing->Samples = 40;
  run(logging(), J);
  std::vector<std::string> Launches = logged("launch ");
  ASSERT_GE(Launches.size(), 163u);
  Launches.resize(Launches.size() - 3); // The candidate and the rivals are checked again afterwards.
  std::set<std::string> Orders;
  for (size_t Round = 0; Round != 40; ++Round) {
    std::set<std::string> Names;
    std::string Order;
    for (size_t I = 0; I != 4; ++I) {
      StringRef Name =
          StringRef(Launches[Launches.size() - 160 + 4 * Round + I]).split(' ').second.split(' ').first;
      Names.insert(Name.str());
      Order += Name;
    }
    EXPECT_EQ(Names.size(), 4u) << Order;
    Orders.insert(Order);
  }
  EXPECT_GT(Orders.size(), 12u) << "of 24 orders";
}

TEST_F(RunnerRounds, AWrongRivalIsNotTimed) {
  Result R = run("", withRivals({"wrong"}));
  EXPECT_EQ(R.Status, ResultStatus::Wrong);
  EXPECT_EQ(R.Culprit, "wrong's");
  EXPECT_NE(R.Message.find("rival wrong's: buffer C"), std::string::npos) << R.Message;
  EXPECT_TRUE(R.SamplesMs.empty());
}

TEST_F(RunnerRounds, ARivalsFailureNamesIt) {
  EXPECT_NE(run("", withRivals({"refused"})).Message.find("rival refused's: cuLaunchKernel"),
            std::string::npos);
  Result R = run("", withRivals({"faults"}));
  EXPECT_EQ(R.Status, ResultStatus::Fault);
  EXPECT_TRUE(R.RunnerEnds);
  EXPECT_EQ(R.Culprit, "faults's");
}

TEST_F(RunnerRounds, TheCacheIsFlushedBeforeEachSample) {
  Job J = timedJob(Files.cubin(), "fast");
  J.Timing->FlushL2 = true;
  J.Timing->MinSampleMs = 10;
  Result R = run("FAKE_CUDA_L2=4000" + logging(), J);
  EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
  EXPECT_EQ(R.LaunchesPerSample, 1u) << "a flush serves one run";
  // Three runs of warm-up and five samples of the candidate, two and two of the slower baseline.
  EXPECT_EQ(logged("memset 8000").size(), 12u);
}

TEST_F(RunnerRounds, AnL2CacheOfUnknownSizeCannotBeFlushed) {
  Job J = timedJob(Files.cubin(), "fast");
  J.Timing->FlushL2 = true;
  Result R = run("FAKE_CUDA_L2=0", J);
  EXPECT_EQ(R.Status, ResultStatus::Error);
  EXPECT_NE(R.Message.find("rotate buffers instead"), std::string::npos) << R.Message;
}

TEST_F(RunnerRounds, RunsUseCopiesOfTheBuffersInTurn) {
  Job J = timedJob(Files.cubin(), "fast");
  J.Timing->Rotate = 3;
  EXPECT_EQ(run(logging(), J).Status, ResultStatus::Ok);
  std::vector<std::string> Launches = logged("launch fast ");
  ArrayRef<std::string> Timed = ArrayRef(Launches).drop_back().take_back(6); // A check follows.
  EXPECT_EQ(std::set<std::string>(Timed.begin(), Timed.end()).size(), 3u);
  EXPECT_EQ(Timed[0], Timed[3]);
  EXPECT_EQ(Timed[1], Timed[4]);
}

TEST_F(RunnerRounds, AutomaticRotationExceedsTheCacheTwice) {
  Job J = timedJob(Files.cubin(), "fast");
  J.Timing->Rotate = 0;
  J.Timing->Samples = 40;
  // Buffers of 8000 bytes: 4 copies beside the one in use.
  run("FAKE_CUDA_L2=15000" + logging(), J);
  std::vector<std::string> Launches = logged("launch fast ");
  EXPECT_EQ(std::set<std::string>(Launches.begin(), Launches.end()).size(), 5u);
}

TEST_F(RunnerRounds, BuffersThatExceedTheCacheAreNotCopied) {
  Job J = timedJob(Files.cubin(), "fast");
  J.Timing->Rotate = 0;
  run("FAKE_CUDA_L2=4000" + logging(), J);
  std::vector<std::string> Launches = logged("launch fast ");
  EXPECT_EQ(std::set<std::string>(Launches.begin(), Launches.end()).size(), 1u);
}

TEST_F(RunnerRounds, CopiesThatDoNotFitAreAMemoryFailure) {
  Job J = timedJob(Files.cubin(), "fast");
  J.Timing->Rotate = 1000;
  EXPECT_EQ(run("FAKE_CUDA_MEMORY=20000000", J).Status, ResultStatus::Memory);
}

TEST_F(RunnerRounds, ClockAndWhatLimitsItAreNoted) {
  Result R = run("GPUPRUNE_NVML=" GPUPRUNE_FAKE_NVML " 'FAKE_NVML_MHZ=1980;1755;1800' FAKE_NVML_LIMITS=0x5",
                 timedJob(Files.cubin(), "fast"));
  ASSERT_TRUE(R.GpuClock);
  EXPECT_EQ(*R.GpuClock, (Clock{1755, 1980, 45, 350000, {"power cap"}}));
}

TEST_F(RunnerRounds, WithoutNvmlThereIsNoClock) {
  EXPECT_FALSE(run("GPUPRUNE_NVML=/nowhere/libnvidia-ml.so.1", timedJob(Files.cubin(), "fast")).GpuClock);
}

TEST_F(RunnerRounds, TheWatchdogStopsWhatIsFarBehindTheFastestSoFar) {
  std::vector<Job> Jobs = {timedJob(Files.cubin(), "right"), timedJob(Files.cubin(), "slow")};
  for (Job &J : Jobs)
    J.Timing->Watchdog = 5;
  std::vector<Result> R = run("", Jobs);
  ASSERT_EQ(R.size(), 2u);
  EXPECT_EQ(R[0].Status, ResultStatus::Ok);
  EXPECT_EQ(R[1].Status, ResultStatus::Slow);
  EXPECT_NE(R[1].Message.find("the limit is 5.000 ms"), std::string::npos) << R[1].Message;
  // Over another problem another limit.
  Jobs[1].Checks[0] = problem(Files.cubin(), "slow", 500);
  Jobs[1].Timing->Problem = Jobs[1].Checks[0].Name;
  Jobs[1].Timing->Baseline = program(Files.cubin(), "right", 500);
  EXPECT_EQ(run("", Jobs)[1].Status, ResultStatus::Ok);
  Jobs[1].Timing->Watchdog.reset();
  EXPECT_EQ(run("", Jobs)[1].Status, ResultStatus::Ok);
}

TEST_F(RunnerRounds, ABaselineIsTimedFullyOnce) {
  auto Against = [&](StringRef Baseline) {
    Job J = timedJob(Files.cubin(), "right");
    J.Timing->Baseline = program(Files.cubin(), Baseline);
    return J;
  };
  Job WithRival = Against("fast");
  WithRival.Timing->Rivals = {{"one", problem(Files.cubin(), "other")}};
  std::vector<Result> R =
      run("", {Against("fast"), Against("fast"), Against("other"), WithRival, Against("fast")});
  ASSERT_EQ(R.size(), 5u);
  EXPECT_EQ(R[0].BaselineMs, std::vector<double>(5, 0.25));
  EXPECT_EQ(R[1].BaselineMs, std::vector<double>(1, 0.25)) << "for the drift";
  EXPECT_EQ(R[1].BaselineMedianMs, 0.25);
  EXPECT_EQ(R[1].SamplesMs.size(), 5u);
  EXPECT_EQ(R[2].BaselineMs, std::vector<double>(5, 1.0)) << "another baseline";
  EXPECT_EQ(R[3].BaselineMs, std::vector<double>(5, 0.25)) << "beside rivals it decides something";
  EXPECT_EQ(R[4].BaselineMs.size(), 1u);
  EXPECT_GT(R[0].TimedMs, R[1].TimedMs);
  EXPECT_GE(R[1].TimedMs, 5 * 1.0 + 0.25 + R[1].Warmed->Ms);
}

TEST_F(RunnerRounds, AKnownBaselineStillLimits) {
  std::vector<Job> Jobs = {timedJob(Files.cubin(), "fast"), timedJob(Files.cubin(), "slow")};
  for (Job &J : Jobs)
    J.Timing->MaxSlowdown = 20;
  EXPECT_EQ(run("", Jobs)[1].Status, ResultStatus::Slow);
}

TEST_F(RunnerRounds, WhatIsClearlySlowerThanTheFastestSoFarGetsFewSamples) {
  std::vector<Job> Jobs = {timedJob(Files.cubin(), "fast"), timedJob(Files.cubin(), "right"),
                           timedJob(Files.cubin(), "fast")};
  for (Job &J : Jobs) {
    J.Timing->ClearlySlower = 1.25;
    J.Timing->Contests = {"all"};
  }
  std::vector<Result> R = run("", Jobs);
  ASSERT_EQ(R.size(), 3u);
  EXPECT_EQ(R[0].SamplesMs.size(), 5u);
  EXPECT_EQ(R[1].Status, ResultStatus::Ok);
  EXPECT_EQ(R[1].SamplesMs, std::vector<double>(FewSamples, 1.0));
  EXPECT_EQ(R[1].MedianMs, 1.0);
  EXPECT_TRUE(R[1].FewSamples);
  EXPECT_FALSE(R[0].FewSamples);
  EXPECT_LE(R[1].Warmed->Runs, 2u) << "nor does it have to be stable";
  EXPECT_EQ(R[2].SamplesMs.size(), 5u);
  Jobs[1].Timing->ClearlySlower = 5;
  EXPECT_EQ(run("", Jobs)[1].SamplesMs.size(), 5u);
}

TEST_F(RunnerRounds, AShortKernelIsNotClearlySlowerForItsFirstRuns) {
  Job J = timedJob(Files.cubin(), "fast");
  J.Timing->MinSampleMs = 1;
  J.Timing->ClearlySlowerMs = 0.00625;
  // Single runs take longer than what they cost in a batch.
  Result R = run("'FAKE_CUDA_TIMES=fast=0.008;0.008;0.008;0.008;0.008;0.008;0.008;0.008;0.004'", J);
  EXPECT_EQ(R.SamplesMs, std::vector<double>(5, 0.004)) << R.Message;
  EXPECT_FALSE(R.FewSamples);
}

TEST_F(RunnerRounds, FewSamplesThatDoNotBearItOutBecomeAll) {
  Job J = timedJob(Files.cubin(), "fast");
  J.Timing->ClearlySlowerMs = 1.5;
  // The two runs of the check say that it is slower: a clock that rises late.
  Result R = run("'FAKE_CUDA_TIMES=fast=2;2;1'", J);
  EXPECT_EQ(R.SamplesMs.size(), 5u);
  EXPECT_FALSE(R.FewSamples);
}

TEST_F(RunnerRounds, BesideRivalsNothingIsTimedBriefly) {
  Job J = timedJob(Files.cubin(), "other");
  J.Timing->Baseline.reset();
  J.Timing->ClearlySlowerMs = 0.5;
  J.Timing->Rivals = {{"one", problem(Files.cubin(), "fast")}};
  EXPECT_EQ(run("", J).SamplesMs.size(), 5u);
}

TEST_F(RunnerRounds, ADriftingBaselineIsTimedAgain) {
  auto Against = [&] {
    Job J = timedJob(Files.cubin(), "right");
    J.Timing->Baseline = program(Files.cubin(), "fast");
    return J;
  };
  std::vector<Result> R =
      run("'FAKE_CUDA_TIMES=fast=1;1;1;1;1;1;1;3;2'", {Against(), Against(), Against(), Against()});
  ASSERT_EQ(R.size(), 4u);
  EXPECT_EQ(R[0].BaselineMedianMs, 1.0);
  EXPECT_GT(R[1].BaselineMs.size(), 1u) << "what it found first was off";
  EXPECT_EQ(R[1].BaselineMs.front(), 3.0);
  EXPECT_EQ(R[1].BaselineMedianMs, 2.0);
  EXPECT_EQ(R[2].BaselineMs, std::vector<double>{2.0});
  EXPECT_EQ(R[2].BaselineMedianMs, 2.0) << "that counts from then on";
}

TEST_F(RunnerRounds, ASlowBaselineHasASampleNowAndThen) {
  std::vector<Job> Jobs(40, timedJob(Files.cubin(), "fast"));
  for (Job &J : Jobs)
    J.Timing->Baseline = program(Files.cubin(), "right");
  std::vector<Result> R = run("'FAKE_CUDA_TIMES=right=4'", Jobs);
  ASSERT_EQ(R.size(), Jobs.size());
  double OfBaseline = 0, Timed = 0;
  size_t Later = 0;
  for (const Result &Each : ArrayRef(R).drop_front(2)) {
    ASSERT_LE(Each.BaselineMs.size(), 1u);
    EXPECT_EQ(Each.BaselineMedianMs, 4.0) << "known from the first job";
    OfBaseline += Each.BaselineMs.empty() ? 0 : Each.BaselineMs.front();
    Timed += Each.TimedMs;
    Later += Each.BaselineMs.size();
  }
  EXPECT_GT(R[0].BaselineMs.size(), 1u);
  EXPECT_EQ(R[1].BaselineMs.size(), 1u);
  EXPECT_GE(Later, 2u);
  EXPECT_LE(OfBaseline, 0.25 * Timed);
}

TEST_F(RunnerRounds, WhatATimingThatCountsForNothingFoundOfABaselineIsForgotten) {
  Job Late = timedJob(Files.cubin(), "late_input");
  Job Good = timedJob(Files.cubin(), "fast");
  Late.Timing->Baseline = Good.Timing->Baseline;
  std::vector<Result> R = run("FAKE_CUDA_LATE=6", {Late, Good});
  ASSERT_EQ(R.size(), 2u);
  EXPECT_EQ(R[0].Status, ResultStatus::Wrong);
  EXPECT_GT(R[1].BaselineMs.size(), 1u);
}

TEST_F(RunnerRounds, ALongRunIsStoppedInMidWarmUp) {
  Job J = timedJob(Files.cubin(), "fast");
  J.Timing->LimitMs = 50;
  J.Timing->Rotate = 2; // The check's runs do not count.
  Result R = run("'FAKE_CUDA_TIMES=fast=1;1;5000;1'", J);
  EXPECT_EQ(R.Status, ResultStatus::Slow);
  EXPECT_EQ(R.SamplesMs, std::vector<double>{5000});
  // A first run that is short may be a cold one.
  EXPECT_EQ(run("'FAKE_CUDA_TIMES=fast=1;1;80;1'", J).Status, ResultStatus::Ok);
  J.Timing->Rotate = 1;
  EXPECT_EQ(run("'FAKE_CUDA_TIMES=fast=80;1'", J).Status, ResultStatus::Ok);
  R = run("'FAKE_CUDA_TIMES=fast=5000;5000;1'", J);
  EXPECT_EQ(R.Status, ResultStatus::Slow) << "what the check's runs say";
  EXPECT_EQ(R.SamplesMs, std::vector<double>{5000});
}

} // namespace
