//===- JobKeyTest.cpp - Which stored result answers a job -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Database/JobKey.h"
#include "ExpectedTesting.h"
#include <functional>
#include <set>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::protocol;
using gpuprune::test::inputErrorOf;
using gpuprune::test::valueOf;

namespace {

Program program(StringRef Code) {
  Launch L;
  L.Cubin = "/tmp/here/batch0.cubin";
  L.Symbol = "kernel_v3";
  L.Grid = {8, 1, 1};
  L.Block = {128, 1, 1};
  L.Args = {protocol::Argument::buffer(0), protocol::Argument::integer(ElementType::I32, 1000)};
  L.Code = Code.str();
  return {{L}};
}

Job job() {
  Problem P;
  P.Name = "n=1000";
  Fill FromFile{FillKind::File};
  FromFile.File = "contents0.bin";
  FromFile.Hash = "89ab";
  P.Buffers = {{"A", ElementType::F32, 1000, {FillKind::Uniform, 0, -1, 1, 7}, BufferRole::InOut},
               {"B", ElementType::F32, 1000, FromFile, BufferRole::In}};
  P.Candidate = program("candidate");
  P.Reference = program("reference");
  P.Stock = program("stock");
  P.Expected = {{0, "0123", "expected0.bin"}};
  Job J;
  J.Id = "variant:3@cafe gpu-unroll<loop=0>";
  J.Checks = {P};
  J.Timing.emplace();
  J.Timing->Problem = P.Name;
  J.Timing->Baseline = program("stock");
  J.Timing->Rivals = {{"variant:5@cafe", P}};
  J.Timing->Rivals[0].Run.Candidate = program("rival");
  return J;
}

Hello gpu() {
  Hello H;
  H.Version = "0.1.0";
  H.HasGpu = true;
  H.Device = "Some GPU";
  H.Major = 9;
  H.DriverVersion = 13000;
  H.SmCount = 132;
  H.TotalMemory = 1 << 30;
  return H;
}

using Change = std::function<void(Job &, Hello &)>;

std::string keyAfter(const Change &Changed) {
  Job J = job();
  Hello H = gpu();
  Changed(J, H);
  return valueOf(jobKey(J, H));
}

TEST(JobKey, IsTheSameForTheSameWorkWhateverItsNamesAndPlaces) {
  std::string Key = valueOf(jobKey(job(), gpu()));
  EXPECT_EQ(Key.size(), 64u);
  const Change Same[] = {
      [](Job &J, Hello &) { J.Id = "variant:4@beef other"; },
      [](Job &J, Hello &) { J.Checks[0].Candidate.Launches[0].Cubin = "batch7.cubin"; },
      [](Job &J, Hello &) { J.Checks[0].Reference->Launches[0].Symbol = "kernel_v0"; },
      [](Job &J, Hello &) { J.Timing->Baseline->Launches[0].Cubin = "batch7.cubin"; },
      [](Job &J, Hello &) { J.Checks[0].Expected[0].File = "expected7.bin"; },
      [](Job &J, Hello &) { J.Checks[0].Buffers[1].Contents.File = "elsewhere/contents7.bin"; },
      [](Job &J, Hello &) { J.Timing->LimitMs = 3; },
      [](Job &J, Hello &) { J.Timing->MaxSlowdown = 3; },
      [](Job &J, Hello &) { J.Timing->Watchdog = 3; },
      [](Job &J, Hello &) { J.Timing->ClearlySlower = 3; },
      [](Job &J, Hello &) { J.Timing->ClearlySlowerMs = 3; },
      [](Job &J, Hello &) { J.Timing->Contests = {"all"}; },
      [](Job &J, Hello &) { J.Timing->Rivals[0].Name = "variant:7@beef"; },
      [](Job &J, Hello &) { J.Timing->Rivals[0].Run.Candidate.Launches[0].Symbol = "kernel_v9"; },
  };
  for (const Change &C : Same)
    EXPECT_EQ(keyAfter(C), Key) << &C - Same;
}

TEST(JobKey, DiffersWhereverTheResultMay) {
  const Change Changes[] = {
      [](Job &, Hello &) {},
      [](Job &J, Hello &) { J.Checks[0].Candidate.Launches[0].Code = "another"; },
      [](Job &J, Hello &) { J.Checks[0].Reference->Launches[0].Code = "another"; },
      [](Job &J, Hello &) { J.Checks[0].Stock->Launches[0].Code = "another"; },
      [](Job &J, Hello &) { J.Timing->Baseline->Launches[0].Code = "another"; },
      [](Job &J, Hello &) { J.Checks[0].Candidate.Launches[0].Grid.Y = 2; },
      [](Job &J, Hello &) { J.Checks[0].Candidate.Launches[0].Block.X = 64; },
      [](Job &J, Hello &) { J.Checks[0].Candidate.Launches[0].SharedBytes = 64; },
      [](Job &J, Hello &) { J.Checks[0].Candidate.Launches[0].Args[1].Bits = 999; },
      [](Job &J, Hello &) { J.Checks[0].Candidate.Launches.push_back(J.Checks[0].Candidate.Launches[0]); },
      [](Job &J, Hello &) { J.Checks[0].Reference.reset(); },
      [](Job &J, Hello &) { J.Checks[0].Expected[0].Hash = "4567"; },
      [](Job &J, Hello &) { J.Checks[0].Buffers[1].Contents.Hash = "4567"; },
      [](Job &J, Hello &) { J.Checks[0].Buffers[1].Contents.Offset = 64; },
      [](Job &J, Hello &) { J.Checks[0].Expected.clear(); },
      [](Job &J, Hello &) { J.Checks[0].Buffers[0].Count = 2000; },
      [](Job &J, Hello &) { J.Checks[0].Buffers[0].Contents.Seed = 8; },
      [](Job &J, Hello &) { J.Checks[0].Buffers[0].Contents.High = 1 + 1e-15; },
      [](Job &J, Hello &) { J.Checks[0].Buffers[0].Contents.ZeroDiagonal = 10; },
      [](Job &J, Hello &) { J.Checks[0].Buffers[0].Contents = {FillKind::Permutation}; },
      [](Job &J, Hello &) { (J.Checks[0].Buffers[0].Contents = {FillKind::Permutation}).Seed = 1; },
      [](Job &J, Hello &) { J.Checks[0].Buffers[0].Contents = {FillKind::Shift}; },
      [](Job &J, Hello &) { (J.Checks[0].Buffers[0].Contents = {FillKind::Shift}).By = 1; },
      [](Job &J, Hello &) { J.Checks[0].Buffers[0].Contents = {FillKind::Clustered}; },
      [](Job &J, Hello &) { (J.Checks[0].Buffers[0].Contents = {FillKind::Clustered}).Window = 2; },
      [](Job &J, Hello &) { (J.Checks[0].Buffers[0].Contents = {FillKind::Clustered}).Per = 2; },
      [](Job &J, Hello &) { (J.Checks[0].Buffers[0].Contents = {FillKind::Sorted}).Count = 2; },
      [](Job &J, Hello &) { (J.Checks[0].Buffers[0].Contents = {FillKind::Values}).Bytes = {1}; },
      [](Job &J, Hello &) { (J.Checks[0].Buffers[0].Contents = {FillKind::Values}).Bytes = {2}; },
      [](Job &J, Hello &) { J.Checks[0].Buffers[0].Role = BufferRole::In; },
      [](Job &J, Hello &) { J.Checks.push_back(J.Checks[0]), J.Checks[1].Name = "n=2"; },
      [](Job &J, Hello &) { J.Compare.Mode = CompareMode::Tolerance; },
      [](Job &J, Hello &) { J.Compare.Relative = 1e-6; },
      [](Job &J, Hello &) { J.Timing.reset(); },
      [](Job &J, Hello &) { J.Timing->Samples = 3; },
      [](Job &J, Hello &) { J.Timing->Warmup = 3; },
      [](Job &J, Hello &) { J.Timing->MinSampleMs = 3; },
      [](Job &J, Hello &) { J.Timing->FlushL2 = true; },
      [](Job &J, Hello &) { J.Timing->Rotate = 2; },
      [](Job &J, Hello &) { J.Timing->StableWithin = 0; },
      [](Job &J, Hello &) { J.Timing->Rivals.clear(); },
      [](Job &J, Hello &) { J.Timing->Rivals[0].Run.Candidate.Launches[0].Code = "another"; },
      [](Job &, Hello &H) { H.Device = "Another GPU"; },
      [](Job &, Hello &H) { H.Minor = 1; },
      [](Job &, Hello &H) { H.DriverVersion = 13010; },
      [](Job &, Hello &H) { H.SmCount = 66; },
      [](Job &, Hello &H) { H.TotalMemory = 1; },
      [](Job &, Hello &H) { H.Protocol = 99; },
      [](Job &, Hello &H) { H.Version = "0.2.0"; },
  };
  std::set<std::string> Keys;
  for (const Change &C : Changes)
    EXPECT_TRUE(Keys.insert(keyAfter(C)).second) << &C - Changes;
}

TEST(JobKey, NeedsToKnowEveryLaunch) {
  Job J = job();
  J.Timing->Baseline->Launches[0].Code.clear();
  Expected<std::string> Key = jobKey(J, gpu());
  EXPECT_NE(inputErrorOf(Key.takeError()).find("code is not identified"), std::string::npos);
}

Result resultOf(ResultStatus Status) {
  Result R;
  R.Status = Status;
  return R;
}

TEST(JobKey, OnlyWhatIsSaidOfTheCandidateIsFinal) {
  Job Single = job();
  Single.Timing->Rivals.clear();
  for (ResultStatus S : {ResultStatus::Ok, ResultStatus::Slow, ResultStatus::Wrong, ResultStatus::Launch,
                         ResultStatus::Timeout}) {
    EXPECT_TRUE(isFinal(Single, resultOf(S))) << resultStatusName(S).str();
    EXPECT_EQ(isFinal(job(), resultOf(S)), S == ResultStatus::Ok)
        << "any rival's: " << resultStatusName(S).str();
  }
  for (ResultStatus S : {ResultStatus::Load, ResultStatus::Reference, ResultStatus::Memory,
                         ResultStatus::Malformed, ResultStatus::Error})
    EXPECT_FALSE(isFinal(Single, resultOf(S))) << resultStatusName(S).str();
  Result Fault = resultOf(ResultStatus::Fault);
  EXPECT_FALSE(isFinal(Single, Fault)) << "the runner died, perhaps killed";
  Fault.RunnerEnds = true;
  EXPECT_TRUE(isFinal(Single, Fault)) << "the runner said so";
}

TEST(JobKey, SlowIsSlowOnlyByTheLimitsOfTheJob) {
  Result Slow = resultOf(ResultStatus::Slow);
  Slow.MedianMs = 10;
  Slow.BaselineMedianMs = 2;
  Job J = job();
  EXPECT_FALSE(answerTo(J, {Slow, 120}, 120));
  J.Timing->LimitMs = 9.5;
  EXPECT_TRUE(answerTo(J, {Slow, 120}, 120));
  J.Timing->LimitMs = 10;
  EXPECT_FALSE(answerTo(J, {Slow, 120}, 120));
  J.Timing->MaxSlowdown = 4;
  EXPECT_TRUE(answerTo(J, {Slow, 120}, 120));
  J.Timing->MaxSlowdown = 6;
  EXPECT_FALSE(answerTo(J, {Slow, 120}, 120));
  EXPECT_TRUE(answerTo(J, {resultOf(ResultStatus::Wrong), std::nullopt}, 120));
}

TEST(JobKey, FewSamplesAnswerOnlyWhereFewWouldBeTaken) {
  Job J = job();
  Result Brief = resultOf(ResultStatus::Ok);
  Brief.SamplesMs = {10, 10, 10};
  Brief.MedianMs = 10;
  Brief.FewSamples = true;
  EXPECT_FALSE(answerTo(J, {Brief, 120}, 120)) << "nothing says that it is slow";
  J.Timing->ClearlySlowerMs = 10;
  EXPECT_FALSE(answerTo(J, {Brief, 120}, 120));
  J.Timing->ClearlySlowerMs = 9.5;
  EXPECT_TRUE(answerTo(J, {Brief, 120}, 120));
  J.Timing->ClearlySlowerMs.reset();
  Brief.FewSamples = false;
  EXPECT_TRUE(answerTo(J, {Brief, 120}, 120));
}

TEST(JobKey, AnAnswerHasTheNamesOfItsJob) {
  Result Stored = resultOf(ResultStatus::Ok);
  Stored.Rivals = {{"variant:1@beef", {1, 2}, 1, std::nullopt}};
  std::optional<Result> Answer = answerTo(job(), {Stored, 120}, 120);
  ASSERT_TRUE(Answer);
  EXPECT_EQ(Answer->Id, "variant:3@cafe gpu-unroll<loop=0>");
  EXPECT_EQ(Answer->Rivals[0].Name, "variant:5@cafe");
  EXPECT_TRUE(Answer->Stored);
  Stored.Rivals.push_back(Stored.Rivals[0]);
  EXPECT_FALSE(answerTo(job(), {Stored, 120}, 120)) << "of another number of rivals";
}

TEST(JobKey, ATimeoutIsOneForNoMoreTimeThanItHad) {
  Result Timeout = resultOf(ResultStatus::Timeout);
  EXPECT_TRUE(answerTo(job(), {Timeout, 120}, 120));
  EXPECT_TRUE(answerTo(job(), {Timeout, 120}, 60));
  EXPECT_FALSE(answerTo(job(), {Timeout, 120}, 121));
  EXPECT_FALSE(answerTo(job(), {Timeout, std::nullopt}, 1)) << "of the first schema";
}

} // namespace
