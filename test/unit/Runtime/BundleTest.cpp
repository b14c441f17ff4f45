//===- BundleTest.cpp - Bundles and the runner's command line -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Runtime/Bundle.h"
#include "../ExpectedTesting.h"
#include "RunnerTesting.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Process.h"
#include "llvm/Support/FormatVariadic.h"
#include <sys/wait.h>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::protocol;
using namespace gpuprune::testing;

namespace {

class BundleTest : public ::testing::Test {
protected:
  Scratch Files;

  void writeJobs(ArrayRef<Job> Jobs) {
    Error E = writeBundle(Files.directory(), json::Object{{"kernel", "twice"}}, Jobs);
    EXPECT_FALSE(bool(E)) << toString(std::move(E));
  }
  /// Runs the command line in a shell; the exit code.
  int run(const std::string &Command) {
    int Status = std::system((Command + " 2> " + Files.file("stderr")).c_str());
    return WIFEXITED(Status) ? WEXITSTATUS(Status) : -1;
  }
  BundleResults results(StringRef Name) { return test::valueOf(readResults(Files.file(Name))); }
};

TEST_F(BundleTest, ComesBackAsItWas) {
  writeJobs({job("fake.cubin", "right"), timedJob("fake.cubin", "fast")});
  Expected<Bundle> B = readBundle(Files.directory());
  ASSERT_TRUE(bool(B)) << toString(B.takeError());
  EXPECT_EQ(B->Header.getString("kernel"), "twice");
  EXPECT_EQ(B->Header.getInteger("gpuprune_bundle"), BundleVersion);
  ASSERT_EQ(B->Jobs.size(), 2u);
  EXPECT_EQ(toLine(B->Jobs[1]), toLine(timedJob("fake.cubin", "fast")));
}

TEST_F(BundleTest, MustHoldItsCubins) {
  auto Text = [&](StringRef Cubin) {
    Error E = writeBundle(Files.directory(), {}, {job(Cubin, "right")});
    return E ? toString(std::move(E)) : "";
  };
  EXPECT_NE(Text(Files.cubin()).find("lies outside"), std::string::npos);
  EXPECT_NE(Text("../fake.cubin").find("lies outside"), std::string::npos);
  EXPECT_NE(Text("other.cubin").find("there is no cubin other.cubin"), std::string::npos);
  Job J = job("fake.cubin", "right");
  J.Checks[0].Expected = {{1, "beef", "../expected.bin"}};
  EXPECT_NE(toString(writeBundle(Files.directory(), {}, J))
                .find("the expected output ../expected.bin lies outside"),
            std::string::npos);
  J.Checks[0].Expected[0].File = "expected.bin";
  EXPECT_NE(toString(writeBundle(Files.directory(), {}, J)).find("there is no expected output expected.bin"),
            std::string::npos);
  J.Checks[0].Truth = program("truth.cubin", "right");
  resolveFiles(J, "/there");
  EXPECT_EQ(J.Checks[0].Truth->Launches[0].Cubin, "/there/truth.cubin");
  EXPECT_EQ(J.Checks[0].Expected[0].File, "/there/expected.bin");
  EXPECT_EQ(J.Checks[0].Candidate.Launches[0].Cubin, "/there/fake.cubin");
}

TEST_F(BundleTest, ErrorsNameFileAndLine) {
  auto Text = [&](StringRef Plan) {
    Files.write("plan.jsonl", Plan);
    Expected<Bundle> B = readBundle(Files.directory());
    return B ? "" : toString(B.takeError());
  };
  EXPECT_NE(Text("").find("the file is empty"), std::string::npos);
  EXPECT_NE(Text("{}\n").find("plan.jsonl:1: expected the bundle's header"), std::string::npos);
  EXPECT_NE(Text("{\"gpuprune_bundle\":1}\n").find("version 1"), std::string::npos);
  EXPECT_NE(Text("{\"gpuprune_bundle\":8}\n\n{\"id\":3}\n").find("plan.jsonl:3: expected string at job.id"),
            std::string::npos);
  Expected<Bundle> None = readBundle(Files.file("nowhere"));
  EXPECT_EQ(takeError(None.takeError()).Kind, ErrorKind::Io);
}

TEST_F(BundleTest, IsMeasuredByTheRunner) {
  writeJobs({timedJob("fake.cubin", "fast"), job("fake.cubin", "faults"), timedJob("fake.cubin", "hangs"),
             timedJob("fake.cubin", "right")});
  // From another directory: the bundle's paths are its own.
  EXPECT_EQ(run("cd / && " + runnerCommand("", "--timeout 2 " + Files.directory()) + " > " +
                Files.file("out.jsonl")),
            5);
  BundleResults Read = results("out.jsonl");
  ASSERT_TRUE(Read.Runner.has_value());
  EXPECT_EQ(Read.Runner->Device, "Fake GPU 0");
  ASSERT_EQ(Read.Results.size(), 4u);
  EXPECT_EQ(Read.Results[0].MedianMs, 0.25);
  EXPECT_EQ(Read.Results[1].Status, ResultStatus::Fault);
  EXPECT_EQ(Read.Results[2].Status, ResultStatus::Timeout);
  EXPECT_EQ(Read.Results[3].MedianMs, 1.0);
  std::string Progress = Files.read("stderr");
  EXPECT_NE(Progress.find("measure 4/4"), std::string::npos) << Progress;
  EXPECT_NE(Progress.find("2 failed, best 0.2500 ms fast"), std::string::npos) << Progress;
}

TEST_F(BundleTest, OnlyAndOutput) {
  writeJobs({timedJob("fake.cubin", "fast"), job("fake.cubin", "faults")});
  std::string Output = Files.file("file.jsonl");
  EXPECT_EQ(run(runnerCommand("", "--only fas --output " + Output + " " + Files.directory())), 0);
  BundleResults Read = results("file.jsonl");
  ASSERT_EQ(Read.Results.size(), 1u);
  EXPECT_EQ(Read.Results[0].Id, "fast");
  EXPECT_EQ(run(runnerCommand("", "--only nothing " + Files.directory())), 1);
  EXPECT_NE(Files.read("stderr").find("none of the 2 jobs"), std::string::npos);
}

TEST_F(BundleTest, WithoutAGpuSaysSoAndMeasuresNothing) {
  writeJobs({job("fake.cubin", "right")});
  EXPECT_EQ(run(runnerCommand("FAKE_CUDA_DEVICES=0", Files.directory()) + " > " + Files.file("out.jsonl")),
            3);
  BundleResults Read = results("out.jsonl");
  EXPECT_FALSE(Read.Runner->HasGpu);
  EXPECT_EQ(Read.Runner->Problem, "no-device");
  EXPECT_TRUE(Read.Results.empty());
  EXPECT_NE(Files.read("stderr").find("nothing was measured"), std::string::npos);
}

TEST_F(BundleTest, AResultThatWasCutOffIsLeftOut) {
  Result R;
  R.Id = "1";
  std::string Line = toLine(R);
  Files.write("cut.jsonl", Line + Line.substr(0, Line.size() / 2));
  EXPECT_EQ(results("cut.jsonl").Results.size(), 1u);
  Files.write("bad.jsonl", Line.substr(0, Line.size() / 2) + "\n" + Line);
  EXPECT_TRUE(errorToBool(readResults(Files.file("bad.jsonl")).takeError()));
}

TEST_F(BundleTest, ExitCodesOfTheCommandLine) {
  EXPECT_EQ(run(GPUPRUNE_RUNNER " --version > " + Files.file("out")), 0);
  EXPECT_NE(Files.read("out").find("gpuprune-runner"), std::string::npos);
  EXPECT_EQ(run(GPUPRUNE_RUNNER " --help > " + Files.file("out")), 0);
  EXPECT_NE(Files.read("out").find("Exit codes"), std::string::npos);
  EXPECT_EQ(run(GPUPRUNE_RUNNER " --unknown"), 1);
  EXPECT_EQ(run(GPUPRUNE_RUNNER " " + Files.file("nowhere")), 2);
  EXPECT_EQ(run(runnerCommand() + " < /dev/null > /dev/null"), 0);
  EXPECT_EQ(run("env GPUPRUNE_CUDA_DRIVER=/nowhere " GPUPRUNE_RUNNER " < /dev/null > /dev/null"), 3);
}

/// A worker by hand: what comes out for lines that are no jobs, and for the end of the input after jobs.
TEST_F(BundleTest, AWorkerAnswersEveryLine) {
  Files.write("in", "no json\n{\"id\":\"x\",\"checks\":7}\n\n" + toLine(job(Files.cubin(), "right")) +
                        toLine(job(Files.cubin(), "faults")) + toLine(job(Files.cubin(), "right")));
  EXPECT_EQ(run(runnerCommand() + " < " + Files.file("in") + " > " + Files.file("out")), 4);
  SmallVector<StringRef> Lines;
  std::string Out = Files.read("out");
  StringRef(Out).split(Lines, '\n', -1, /*KeepEmpty=*/false);
  ASSERT_EQ(Lines.size(), 7u) << Out;
  EXPECT_TRUE(bool(parseHello(Lines[0])));
  for (auto [Index, Id, Status] :
       {std::tuple(1, "", ResultStatus::Malformed), std::tuple(2, "x", ResultStatus::Malformed),
        std::tuple(4, "right", ResultStatus::Ok), std::tuple(6, "faults", ResultStatus::Fault)}) {
    Expected<Result> R = parseResult(Lines[Index]);
    ASSERT_TRUE(bool(R)) << toString(R.takeError());
    EXPECT_EQ(R->Id, Id);
    EXPECT_EQ(R->Status, Status) << R->Message;
  }
  EXPECT_NE(Lines[2].find("job.checks"), StringRef::npos) << Lines[2].str();
  EXPECT_NE(Lines[3].find("\"started\""), StringRef::npos);
  EXPECT_NE(Lines[6].find("\"runner_ends\":true"), StringRef::npos);
}

/// Else the fuzz target of bundles gets no further than their version.
TEST(BundleSeedsTest, AreOfThisVersion) {
  for (const char *Name : {"all", "some", "sequence"}) {
    std::string Text =
        test::valueOf(readFile(formatv("{0}/test/fuzz/corpus/bundle/{1}", GPUPRUNE_SOURCE_DIR, Name).str()));
    auto [Plan, Lines] = StringRef(Text).split("\n----\n");
    Expected<Bundle> Seed = parseBundle(Plan, Name);
    ASSERT_TRUE(bool(Seed)) << toString(Seed.takeError()) << "; run test/fuzz/make-seeds";
    EXPECT_FALSE(Seed->Jobs.empty()) << Name;
    EXPECT_FALSE(test::valueOf(parseResults(Lines, Name)).Results.empty()) << Name;
  }
}

} // namespace
