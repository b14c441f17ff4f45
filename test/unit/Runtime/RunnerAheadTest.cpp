//===- RunnerAheadTest.cpp - Jobs that are sent while another runs --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RunnerTesting.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstdlib>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::protocol;
using namespace gpuprune::testing;

namespace {

/// What is kept of each job.
class Kept : public ResultStore {
public:
  std::vector<std::pair<std::string, ResultStatus>> All;

  std::optional<Result> find(const Job &) override { return std::nullopt; }
  void keep(const Job &J, const Result &R) override {
    EXPECT_EQ(J.Id, R.Id);
    All.emplace_back(J.Id, R.Status);
  }
};

class Ahead : public ::testing::Test {
protected:
  Scratch Files;
  Kept Store;

  /// Shell functions for runners: begin ID, answer ID STATUS. A process that began earlier left a file.
  RunnerOptions script(StringRef Body) {
    RunnerOptions Options =
        scriptRunner(Files, formatv("begin() {{ echo '{{\"event\":\"started\",\"id\":\"'$1'\"}'; }\n"
                                    "answer() {{ echo '{{\"id\":\"'$1'\",\"status\":\"'$2'\"}'; }\n"
                                    "secondLife() {{ [ -e {0} ] || {{ touch {0}; return 1; }; }\n{1}",
                                    Files.file("lived"), Body)
                                .str());
    Options.Store = &Store;
    return Options;
  }
  std::vector<Job> jobs(ArrayRef<StringRef> Ids) {
    std::vector<Job> All;
    for (StringRef Id : Ids) {
      All.push_back(job(Files.cubin(), "right"));
      All.back().Id = Id;
    }
    return All;
  }
  /// The statuses that jobs a and b have in the end, each of which is kept once.
  std::pair<ResultStatus, ResultStatus> statuses(const RunnerOptions &Options) {
    std::vector<Result> R = runJobs(Options, jobs({"a", "b"}));
    if (R.size() != 2)
      return {};
    Messages = {R[0].Message, R[1].Message};
    EXPECT_EQ(R[0].Id, "a");
    EXPECT_EQ(R[1].Id, "b");
    EXPECT_EQ(Store.All.size(), 2u);
    for (const Result &Each : R)
      EXPECT_TRUE(is_contained(Store.All, std::pair(Each.Id, Each.Status)));
    return {R[0].Status, R[1].Status};
  }
  std::vector<std::string> Messages;

  using Pair = std::pair<ResultStatus, ResultStatus>;
};

/// Both jobs are there before the first is answered; without one ahead this would wait for ever.
constexpr StringLiteral ReadBoth = "read a; begin a; read b\n";
/// Where the second process has b alone.
constexpr StringLiteral AnswerB = "if secondLife; then read b; begin b; answer b ok; read end; exit; fi\n";

TEST_F(Ahead, TheNextJobIsSentWhileOneRuns) {
  EXPECT_EQ(statuses(script((ReadBoth + "answer a ok; begin b; answer b wrong; read end").str())),
            Pair(ResultStatus::Ok, ResultStatus::Wrong));
}

TEST_F(Ahead, AnswersThatComeAtOnceBelongToTheirJobs) {
  EXPECT_EQ(statuses(script(
                (ReadBoth + "x=$(answer a slow; begin b; answer b wrong); echo \"$x\"; read end").str())),
            Pair(ResultStatus::Slow, ResultStatus::Wrong));
}

TEST_F(Ahead, WhenTheRunnerDiesTheJobThatRanIsAtFault) {
  EXPECT_EQ(statuses(script((AnswerB + ReadBoth + "kill -9 $$").str())),
            Pair(ResultStatus::Fault, ResultStatus::Ok));
  EXPECT_NE(Messages[0].find("died while it ran the job"), std::string::npos) << Messages[0];
}

TEST_F(Ahead, WhenTheJobAheadHadBegunItIsAtFaultAlone) {
  EXPECT_EQ(statuses(script((ReadBoth + "answer a ok; begin b; kill -9 $$").str())),
            Pair(ResultStatus::Ok, ResultStatus::Fault));
}

TEST_F(Ahead, WhatHadNotBegunIsGivenAgain) {
  EXPECT_EQ(statuses(script((AnswerB + ReadBoth + "answer a ok; kill -9 $$").str())),
            Pair(ResultStatus::Ok, ResultStatus::Ok));
}

TEST_F(Ahead, ARunnerThatEndsItselfLeavesTheJobAhead) {
  EXPECT_EQ(statuses(script((AnswerB + ReadBoth +
                             "echo '{\"id\":\"a\",\"status\":\"fault\",\"runner_ends\":true}'; exit 4")
                                .str())),
            Pair(ResultStatus::Fault, ResultStatus::Ok));
}

TEST_F(Ahead, TheRealRunnerFaultsAndCrashesForOneJobEach) {
  std::vector<Job> Jobs;
  for (int I = 0; I != 12; ++I) {
    Jobs.push_back(job(Files.cubin(), I % 4 == 1 ? "faults" : I % 4 == 2 ? "crashes" : "right"));
    Jobs.back().Id = std::to_string(I);
  }
  RunnerOptions Options;
  Options.Commands = {runnerCommand()};
  Options.Store = &Store;
  std::vector<Result> R = runJobs(Options, Jobs);
  ASSERT_EQ(R.size(), Jobs.size());
  for (int I = 0; I != 12; ++I) {
    EXPECT_EQ(R[I].Id, std::to_string(I));
    EXPECT_EQ(R[I].Status, I % 4 == 1 || I % 4 == 2 ? ResultStatus::Fault : ResultStatus::Ok) << R[I].Message;
  }
  EXPECT_EQ(Store.All.size(), Jobs.size());
}

TEST_F(Ahead, ATimeoutIsThatOfTheJobThatRuns) {
  RunnerOptions Options = script((AnswerB + ReadBoth + "sleep 100").str());
  Options.JobTimeoutSeconds = 1;
  EXPECT_EQ(statuses(Options), Pair(ResultStatus::Timeout, ResultStatus::Ok));
}

TEST_F(Ahead, TheTimeOfAJobCountsFromItsBegin) {
  RunnerOptions Options =
      script((ReadBoth + "sleep 1.5; answer a ok; begin b; sleep 1.5; answer b ok; read end").str());
  Options.JobTimeoutSeconds = 2.5;
  EXPECT_EQ(statuses(Options), Pair(ResultStatus::Ok, ResultStatus::Ok));
}

TEST_F(Ahead, AHangOfTheJobAheadIsItsTimeout) {
  RunnerOptions Options = script((ReadBoth + "answer a ok; begin b; sleep 100").str());
  Options.JobTimeoutSeconds = 1;
  EXPECT_EQ(statuses(Options), Pair(ResultStatus::Ok, ResultStatus::Timeout));
}

TEST_F(Ahead, WhatTheRunnerRefusesIsRefusedAlone) {
  EXPECT_EQ(statuses(script((ReadBoth + "answer a ok; answer b malformed; read end").str())),
            Pair(ResultStatus::Ok, ResultStatus::Malformed));
}

TEST_F(Ahead, ALineThatNobodyCouldReadIsTheNextJobs) {
  EXPECT_EQ(statuses(script((ReadBoth + "answer a ok; answer '' malformed; read end").str())),
            Pair(ResultStatus::Ok, ResultStatus::Malformed));
  Store.All.clear();
  // Not that of one that was read.
  EXPECT_EQ(statuses(script((AnswerB + ReadBoth + "answer '' malformed; read end").str())),
            Pair(ResultStatus::Error, ResultStatus::Ok));
}

TEST_F(Ahead, AnAnswerForAnotherJobIsNobodys) {
  EXPECT_EQ(statuses(script((AnswerB + ReadBoth + "answer b wrong; read end").str())),
            Pair(ResultStatus::Error, ResultStatus::Ok));
  EXPECT_NE(Messages[0].find("answered for the job 'b' instead"), std::string::npos) << Messages[0];
}

TEST_F(Ahead, AnAnswerTwiceIsNotTheNextJobs) {
  EXPECT_EQ(statuses(script((ReadBoth + "answer a ok; answer a ok; read end").str())),
            Pair(ResultStatus::Ok, ResultStatus::Error));
}

TEST_F(Ahead, AnAnswerWithoutAnIdIsNobodys) {
  EXPECT_EQ(statuses(script((AnswerB + ReadBoth + "answer '' ok; read end").str())),
            Pair(ResultStatus::Error, ResultStatus::Ok));
}

TEST_F(Ahead, ARunnerThatBeginsAnotherJobIsNotBelieved) {
  EXPECT_EQ(statuses(script((AnswerB + ReadBoth + "begin b; answer b wrong; read end").str())),
            Pair(ResultStatus::Error, ResultStatus::Ok));
  EXPECT_NE(Messages[0].find("began the job 'b' instead"), std::string::npos) << Messages[0];
}

/// For the runner: whether there is more to read at once.
constexpr StringLiteral More = "timeout 0.5 dd bs=1 count=1 2>/dev/null | grep -q .";

TEST_F(Ahead, NothingIsSentBehindAJobOfTheSameName) {
  std::vector<Result> R = runJobs(
      script(("while read a; do begin a; if " + More + "; then answer a wrong; else answer a ok; fi; done")
                 .str()),
      jobs({"a", "a"}));
  ASSERT_EQ(R.size(), 2u);
  EXPECT_EQ(R[0].Status, ResultStatus::Ok);
  EXPECT_EQ(R[1].Status, ResultStatus::Ok);
}

TEST_F(Ahead, NothingIsSentBehindAJobThatHasNotBegun) {
  EXPECT_EQ(statuses(script(("read a; if " + More + "; then answer a wrong; else begin a; answer a ok; fi\n" +
                             "read b; begin b; answer b ok; read end")
                                .str())),
            Pair(ResultStatus::Ok, ResultStatus::Ok));
}

TEST_F(Ahead, NothingIsSentAheadToOneOfSeveral) {
  RunnerOptions Options = script(("while read a; do id=${a#*'\"id\":\"'}; id=${id%%'\"'*}; begin $id; if " +
                                  More + "; then answer $id wrong; else answer $id ok; fi; done")
                                     .str());
  Options.Commands.push_back(Options.Commands.front());
  for (const Result &R : runJobs(Options, jobs({"a", "b", "c", "d"})))
    EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Id << ": " << R.Message;
}

TEST_F(Ahead, NoJobAheadBeginsAfterTheDeadline) {
  RunnerOptions Options =
      script((ReadBoth + "sleep 2; answer a ok; begin b; sleep 0.5; answer b ok; read end").str());
  Options.Deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(1000);
  auto Started = RunnerClient::start(Options);
  ASSERT_TRUE(bool(Started));
  std::vector<Result> R;
  EXPECT_FALSE((*Started)->run(jobs({"a", "b"}), [&](const Result &Each) { R.push_back(Each); }));
  if (R.empty())
    GTEST_SKIP() << "the machine was too busy to begin in time";
  ASSERT_EQ(R.size(), 1u);
  EXPECT_EQ(R[0].Id, "a");
  EXPECT_EQ(R[0].Status, ResultStatus::Ok) << R[0].Message;
  EXPECT_EQ(Store.All.size(), 1u);
}

/// As where a check on the CPU is not over.
TEST_F(Ahead, AJobThatIsNotThereYetIsAskedForAgain) {
  auto Started =
      RunnerClient::start(script((ReadBoth + "answer a ok; begin b; answer b ok; read end").str()));
  ASSERT_TRUE(bool(Started));
  std::vector<Job> Waiting = jobs({"b", "a"});
  unsigned NotYet = 3, Taken = 0;
  auto Next = [&](RunnerClient::Ask How) -> std::optional<Job> {
    if (Waiting.empty() || (How == RunnerClient::Ask::Ahead && NotYet && NotYet--))
      return std::nullopt;
    Job J = Waiting.back();
    Waiting.pop_back();
    return J;
  };
  EXPECT_FALSE((*Started)->run(RunnerClient::NextJob(Next), [&](const Result &) { ++Taken; }));
  EXPECT_EQ(Taken, 2u);
  EXPECT_EQ(NotYet, 0u);
}

TEST_F(Ahead, TheRunnerLowersLimitsByItsOwnResults) {
  std::vector<Job> Jobs = {timedJob(Files.cubin(), "fast"), timedJob(Files.cubin(), "right"),
                           timedJob(Files.cubin(), "slow")};
  std::string Lines;
  for (Job &J : Jobs) {
    J.Timing->Watchdog = 5;
    J.Timing->ClearlySlower = 1.25;
    J.Timing->Contests = {"all"};
    Lines += toLine(J);
  }
  Files.write("jobs", Lines);
  // As a client sends them that has no result yet.
  std::string Command =
      formatv("{0} < {1} > {2}", runnerCommand(), Files.file("jobs"), Files.file("results")).str();
  ASSERT_EQ(std::system(Command.c_str()), 0);
  std::vector<Result> R;
  std::string Text = Files.read("results");
  for (StringRef Line : split(Text, '\n'))
    if (Line.contains("\"status\"")) {
      Expected<Result> Parsed = parseResult(Line);
      ASSERT_TRUE(bool(Parsed));
      R.push_back(std::move(*Parsed));
    }
  ASSERT_EQ(R.size(), 3u);
  EXPECT_EQ(R[0].SamplesMs.size(), 5u);
  EXPECT_TRUE(R[1].FewSamples);
  EXPECT_EQ(R[2].Status, ResultStatus::Slow);
  EXPECT_NE(R[2].Message.find("the limit is 1.250 ms"), std::string::npos) << R[2].Message;
}

} // namespace
