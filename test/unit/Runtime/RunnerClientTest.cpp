//===- RunnerClientTest.cpp - Runners that die, hang and lie --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RunnerTesting.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <csignal>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::protocol;
using namespace gpuprune::testing;

namespace {

class Client : public ::testing::Test {
protected:
  Scratch Files;

  RunnerOptions real() {
    RunnerOptions Options;
    Options.Commands = {runnerCommand()};
    return Options;
  }
  RunnerOptions script(StringRef Body) { return scriptRunner(Files, Body); }
  Job named(StringRef Symbol, StringRef Id) {
    Job J = job(Files.cubin(), Symbol);
    J.Id = Id;
    return J;
  }
  TakenError startError(RunnerOptions Options) {
    auto Started = RunnerClient::start(std::move(Options));
    EXPECT_FALSE(bool(Started));
    return Started ? TakenError() : takeError(Started.takeError());
  }
};

TEST_F(Client, BeginsNoJobAfterItsDeadline) {
  RunnerOptions Options = real();
  Options.Deadline = std::chrono::steady_clock::now();
  auto Started = RunnerClient::start(Options);
  ASSERT_TRUE(bool(Started));
  size_t Results = 0;
  EXPECT_FALSE(
      (*Started)->run({named("right", "1"), named("right", "2")}, [&](const Result &) { ++Results; }));
  EXPECT_EQ(Results, 0u);
}

TEST_F(Client, GivesUpAJobThatOutlastsTheDeadline) {
  RunnerOptions Options = real();
  auto Started = RunnerClient::start(Options);
  ASSERT_TRUE(bool(Started));
  Started->reset();
  Options.Deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
  Options.JobTimeoutSeconds = 100;
  std::vector<Result> Results;
  Started = RunnerClient::start(Options);
  ASSERT_TRUE(bool(Started));
  EXPECT_FALSE((*Started)->run({named("hangs", "1"), named("right", "2")},
                               [&](const Result &R) { Results.push_back(R); }));
  if (Results.empty())
    GTEST_SKIP() << "the machine was too busy to begin in time";
  ASSERT_EQ(Results.size(), 1u);
  EXPECT_EQ(Results[0].Status, ResultStatus::Error);
  EXPECT_NE(Results[0].Message.find("when the time for the whole run was over"), std::string::npos);
}

TEST_F(Client, SaysHello) {
  auto Started = RunnerClient::start(real());
  ASSERT_TRUE(bool(Started));
  EXPECT_TRUE((*Started)->hasGpu());
  ASSERT_EQ((*Started)->hellos().size(), 1u);
  Hello H = (*Started)->hellos()[0];
  EXPECT_EQ(H.Device, "Fake GPU 0");
  EXPECT_EQ(H.Major, 9);
  EXPECT_EQ(H.SmCount, 132);
  EXPECT_EQ(H.DriverVersion, 13000);
  EXPECT_EQ(H.TotalMemory, uint64_t(1) << 30);
}

TEST_F(Client, SaysWhyThereIsNoGpu) {
  auto Problem = [](const std::string &Command) {
    RunnerOptions Options;
    Options.Commands = {Command};
    auto Started = RunnerClient::start(Options);
    if (!Started)
      return toString(Started.takeError());
    EXPECT_FALSE((*Started)->hasGpu());
    EXPECT_TRUE(errorToBool((*Started)->run({Job()}, [](const Result &) {})));
    return (*Started)->hellos()[0].Problem;
  };
  std::string Runner = GPUPRUNE_RUNNER;
  EXPECT_EQ(Problem("env GPUPRUNE_CUDA_DRIVER=/nowhere/libcuda.so " + Runner), "no-libcuda");
  EXPECT_EQ(Problem("env GPUPRUNE_CUDA_DRIVER=libm.so.6 " + Runner), "too-old");
  EXPECT_EQ(Problem(runnerCommand("FAKE_CUDA_DEVICES=0")), "no-device");
  EXPECT_EQ(Problem(runnerCommand("", "--device 1")), "no-device");
}

TEST_F(Client, ARunnerThatCannotBeStartedIsAnError) {
  RunnerOptions Options;
  EXPECT_EQ(startError(Options).Kind, ErrorKind::Usage);
  Options.Commands = {"gpuprune-no-such-program"};
  EXPECT_EQ(startError(Options).Kind, ErrorKind::Toolchain);
  Options.Commands = {"sh -c 'echo no route to host >&2; exit 9'"};
  TakenError Ended = startError(Options);
  EXPECT_EQ(Ended.Kind, ErrorKind::Runner);
  EXPECT_NE(Ended.Text.find("exit code 9"), std::string::npos) << Ended.Text;
  EXPECT_NE(Ended.Text.find("no route to host"), std::string::npos) << Ended.Text;
  Options.Commands = {"sleep 100"};
  Options.HelloTimeoutSeconds = 0.2;
  EXPECT_NE(startError(Options).Text.find("no hello within"), std::string::npos);
}

TEST_F(Client, AFaultCostsOnlyItsJob) {
  std::vector<Result> R = runJobs({job(Files.cubin(), "right"), job(Files.cubin(), "faults"),
                                   job(Files.cubin(), "faults"), timedJob(Files.cubin(), "fast")});
  ASSERT_EQ(R.size(), 4u);
  EXPECT_EQ(R[0].Status, ResultStatus::Ok);
  EXPECT_EQ(R[1].Status, ResultStatus::Fault);
  EXPECT_NE(R[1].Message.find("CUDA_ERROR_ILLEGAL_ADDRESS"), std::string::npos) << R[1].Message;
  EXPECT_EQ(R[2].Status, ResultStatus::Fault);
  EXPECT_EQ(R[3].Status, ResultStatus::Ok) << R[3].Message;
  EXPECT_EQ(R[3].MedianMs, 0.25);
}

TEST_F(Client, ARunnerThatDiesCostsOnlyItsJob) {
  std::vector<Result> R = runJobs({job(Files.cubin(), "crashes"), job(Files.cubin(), "right")});
  ASSERT_EQ(R.size(), 2u);
  EXPECT_EQ(R[0].Id, "crashes");
  EXPECT_EQ(R[0].Status, ResultStatus::Fault);
  EXPECT_NE(R[0].Message.find("exit code 77"), std::string::npos) << R[0].Message;
  EXPECT_EQ(R[1].Status, ResultStatus::Ok);
}

TEST_F(Client, AHangIsATimeout) {
  RunnerOptions Options = real();
  Options.JobTimeoutSeconds = 1.5;
  std::vector<Result> R = runJobs(Options, {job(Files.cubin(), "hangs"), job(Files.cubin(), "right")});
  ASSERT_EQ(R.size(), 2u);
  EXPECT_EQ(R[0].Status, ResultStatus::Timeout);
  EXPECT_EQ(R[1].Status, ResultStatus::Ok) << R[1].Message;
}

TEST_F(Client, AJobWhoseRunnerDiedBeforeItStartedIsGivenAgain) {
  std::string Marker = Files.file("died");
  RunnerOptions Options = script(formatv("read job\n"
                                         "if ! [ -e {0} ]; then touch {0}; kill -9 $$; fi\n"
                                         "echo '{{\"event\":\"started\",\"id\":\"right\"}'\n"
                                         "echo '{{\"id\":\"right\",\"status\":\"ok\"}'",
                                         Marker)
                                     .str());
  std::vector<Result> R = runJobs(Options, {job(Files.cubin(), "right")});
  ASSERT_EQ(R.size(), 1u);
  EXPECT_EQ(R[0].Status, ResultStatus::Ok) << R[0].Message;
}

TEST_F(Client, AJobThatKeepsKillingRunnersIsGivenUp) {
  std::vector<Result> R =
      runJobs(script("read job\nkill -9 $$"), {job(Files.cubin(), "right"), job(Files.cubin(), "fast")});
  ASSERT_EQ(R.size(), 2u);
  for (const Result &Each : R) {
    EXPECT_EQ(Each.Status, ResultStatus::Error);
    EXPECT_NE(Each.Message.find("signal 9"), std::string::npos) << Each.Message;
  }
}

TEST_F(Client, ARunnerThatDiesWhileItRunsTheJobIsAFault) {
  std::vector<Result> R = runJobs(
      script("read job\necho '{\"event\":\"started\",\"id\":\"right\"}'\necho last words >&2\nkill -9 $$"),
      {job(Files.cubin(), "right")});
  ASSERT_EQ(R.size(), 1u);
  EXPECT_EQ(R[0].Status, ResultStatus::Fault);
  EXPECT_NE(R[0].Message.find("last words"), std::string::npos) << R[0].Message;
}

TEST_F(Client, ARunnerThatDoesNotComeBackEndsTheRun) {
  std::string Marker = Files.file("once");
  Files.write("once.sh",
              formatv("if [ -e {0} ]; then exit 8; fi\ntouch {0}\necho '{1}'\nread control\nread job\n"
                      "echo '{{\"event\":\"started\",\"id\":\"a\"}'\nexit 7\n",
                      Marker, HelloText)
                  .str());
  RunnerOptions Options;
  Options.Commands = {"sh " + Files.file("once.sh")};
  auto Started = RunnerClient::start(Options);
  ASSERT_TRUE(bool(Started));
  std::vector<Result> Results;
  Error E = (*Started)->run({named("right", "a"), named("right", "b")},
                            [&](const Result &R) { Results.push_back(R); });
  ASSERT_TRUE(bool(E));
  TakenError Taken = takeError(std::move(E));
  EXPECT_EQ(Taken.Kind, ErrorKind::Runner);
  EXPECT_NE(Taken.Text.find("exit code 8"), std::string::npos) << Taken.Text;
  ASSERT_EQ(Results.size(), 1u);
  EXPECT_EQ(Results[0].Status, ResultStatus::Fault);
}

TEST_F(Client, GibberishIsSkippedAndAWrongAnswerIsAnError) {
  std::vector<Result> R =
      runJobs(script("read job\necho gibberish\necho '{\"status\":\"splendid\"}'\nread more"),
              {job(Files.cubin(), "right")});
  ASSERT_EQ(R.size(), 1u);
  EXPECT_EQ(R[0].Status, ResultStatus::Error);
  EXPECT_NE(R[0].Message.find("not understood"), std::string::npos) << R[0].Message;
}

TEST_F(Client, AnotherProtocolIsRefused) {
  RunnerOptions Options;
  Options.Commands = {
      "echo '{\"hello\":99,\"version\":\"9\",\"gpu\":false,\"problem\":\"\",\"message\":\"\"}'"};
  EXPECT_NE(startError(Options).Text.find("speaks protocol 99"), std::string::npos);
}

TEST_F(Client, SeveralRunnersShareTheQueueAndKeepTheOrder) {
  RunnerOptions Options;
  Options.Commands = {runnerCommand("FAKE_CUDA_DEVICES=2"),
                      runnerCommand("FAKE_CUDA_DEVICES=2", "--device 1")};
  std::vector<Job> Jobs;
  for (int I = 0; I != 40; ++I)
    Jobs.push_back(named(I % 10 == 3 ? "faults" : I % 10 == 7 ? "crashes" : "right", std::to_string(I)));
  std::vector<Result> R = runJobs(Options, Jobs);
  ASSERT_EQ(R.size(), 40u);
  for (int I = 0; I != 40; ++I) {
    EXPECT_EQ(R[I].Id, std::to_string(I));
    EXPECT_EQ(R[I].Status, I % 10 == 3 || I % 10 == 7 ? ResultStatus::Fault : ResultStatus::Ok)
        << R[I].Message;
  }
}

TEST_F(Client, AHangDoesNotHoldUpTheOthers) {
  RunnerOptions Options;
  Options.Commands = {runnerCommand(), runnerCommand()};
  Options.JobTimeoutSeconds = 4;
  Options.InOrder = false;
  std::vector<Job> Jobs = {named("hangs", "hang")};
  for (int I = 0; I != 5; ++I)
    Jobs.push_back(named("right", std::to_string(I)));
  std::vector<Result> R = runJobs(Options, Jobs);
  ASSERT_EQ(R.size(), 6u);
  EXPECT_EQ(R.back().Id, "hang");
  EXPECT_EQ(R.back().Status, ResultStatus::Timeout);
}

TEST_F(Client, JobsAreAskedForOneAhead) {
  auto Started = RunnerClient::start(real());
  ASSERT_TRUE(bool(Started));
  size_t Given = 0, Taken = 0;
  Error E = (*Started)->run(
      [&](RunnerClient::Ask) -> std::optional<Job> {
        EXPECT_LE(Given, Taken + 2);
        return Given == 3 ? std::nullopt : std::optional(named("right", std::to_string(++Given)));
      },
      [&](const Result &) { ++Taken; });
  EXPECT_FALSE(bool(E));
  EXPECT_EQ(Taken, 3u);
}

TEST_F(Client, AnInvalidJobIsAResultAndNotSent) {
  Job J = job(Files.cubin(), "right");
  J.Checks[0].Candidate.Launches[0].Args[0] = protocol::Argument::buffer(17);
  std::vector<Result> R = runJobs({J, job(Files.cubin(), "right")});
  ASSERT_EQ(R.size(), 2u);
  EXPECT_EQ(R[0].Status, ResultStatus::Malformed);
  EXPECT_NE(R[0].Message.find("names buffer 17"), std::string::npos) << R[0].Message;
  EXPECT_EQ(R[1].Status, ResultStatus::Ok);
}

/// Whether a process whose command line contains \p Text runs.
bool runsWith(StringRef Text) {
  std::error_code Failed;
  for (sys::fs::directory_iterator At("/proc", Failed), End; At != End && !Failed; At.increment(Failed)) {
    std::ifstream File(At->path() + "/cmdline");
    std::string Line((std::istreambuf_iterator<char>(File)), std::istreambuf_iterator<char>());
    if (StringRef(Line).contains(Text))
      return true;
  }
  return false;
}

TEST_F(Client, NothingIsLeftRunning) {
  std::string Mark = "--cache=" + std::to_string(100000 + ::getpid());
  {
    RunnerOptions Options;
    // The runner as the child of a wrapper, as with ssh or srun.
    Options.Commands = {"sh -c '" + runnerCommand("", Mark) + "; true'"};
    Options.JobTimeoutSeconds = 1.5;
    EXPECT_EQ(runJobs(Options, {job(Files.cubin(), "hangs")}).at(0).Status, ResultStatus::Timeout);
    EXPECT_EQ(runJobs(Options, {job(Files.cubin(), "right")}).at(0).Status, ResultStatus::Ok);
  }
  EXPECT_FALSE(runsWith(Mark));
}

/// The fork stands for a tuner that is stopped, as by Ctrl-Z, for longer than a job may take.
TEST_F(Client, ATunerThatIsStoppedBlamesNoVariant) {
  RunnerOptions Options = script("read job\n"
                                 "echo '{\"event\":\"started\",\"id\":\"right\"}'\n"
                                 "sleep 9.5\n" // Later than a runner that is given up has been ended.
                                 "echo '{\"id\":\"right\",\"status\":\"ok\"}'");
  Options.JobTimeoutSeconds = 5;
  pid_t Tuner = ::fork();
  if (Tuner == 0) {
    std::vector<Result> R = runJobs(Options, {job(Files.cubin(), "right")});
    ::_exit(R.size() == 1 && R[0].Status == ResultStatus::Ok ? 0 : 1);
  }
  ::usleep(300000);
  ::kill(Tuner, SIGSTOP);
  ::usleep(6000000);
  ::kill(Tuner, SIGCONT);
  int Ended = 0;
  ASSERT_EQ(::waitpid(Tuner, &Ended, 0), Tuner);
  EXPECT_EQ(Ended, 0);
}

/// The fork stands for a tuner that is killed while a kernel hangs.
TEST_F(Client, AHangingRunnerEndsWithItsClient) {
  std::string Mark = "--cache=" + std::to_string(200000 + ::getpid());
  pid_t Tuner = ::fork();
  if (Tuner == 0) {
    RunnerOptions Options;
    Options.Commands = {runnerCommand("", Mark)};
    auto Started = RunnerClient::start(Options);
    if (Started)
      consumeError((*Started)->run({named("hangs", "1"), named("right", "2")}, [](const Result &) {}));
    ::_exit(0);
  }
  auto WaitFor = [&](bool Running) {
    for (int I = 0; I != 200 && runsWith(Mark) != Running; ++I)
      ::usleep(25000);
    return runsWith(Mark) == Running;
  };
  ASSERT_TRUE(WaitFor(true));
  ::usleep(300000);
  EXPECT_TRUE(runsWith(Mark));
  ::kill(Tuner, SIGKILL);
  EXPECT_TRUE(WaitFor(false));
}

} // namespace
