//===- RunnerLinksTest.cpp - From a variant to the author's program -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceKernels.h"
#include "RunnerTesting.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::protocol;
using namespace gpuprune::testing;

namespace {

class RunnerLinks : public ::testing::Test {
protected:
  Scratch Files;

  Program at(StringRef Symbol, uint32_t Threads) {
    Program P = program(Files.cubin(), Symbol);
    P.Launches[0].Block = {Threads, 1, 1};
    return P;
  }
  /// \p Candidate and \p Reference with 256 threads, \p Truth with the author's 128.
  Job linked(StringRef Candidate, StringRef Reference, StringRef Truth) {
    Job J = job(Files.cubin(), Candidate);
    J.Checks[0].Candidate = at(Candidate, 256);
    J.Checks[0].Reference = at(Reference, 256);
    J.Checks[0].Truth = at(Truth, 128);
    J.Compare.Relative = 1e-5;
    return J;
  }
  Job opened(Job J, bool Variants, bool Launches, uint32_t Buffer = 1) {
    J.Checks[0].Open = {{Buffer, Variants, Launches, "atomicrmw fadd"}};
    return J;
  }
  std::vector<Result> run(const Twine &Environment, ArrayRef<Job> Jobs) {
    RunnerOptions Options;
    Options.Commands = {runnerCommand(Environment.str())};
    return runJobs(Options, Jobs);
  }
  std::string logging() { return "FAKE_CUDA_CALLS=" + Files.file("log"); }
  size_t logged(StringRef Head) {
    std::string Text = Files.read("log");
    return count_if(split(Text, '\n'), [&](StringRef Line) { return Line.starts_with(Head); });
  }

  static void expectLaunchWrong(const Result &R, MismatchKind Kind) {
    EXPECT_EQ(R.Status, ResultStatus::Wrong) << R.Message;
    EXPECT_EQ(R.Check, CheckOutcome::Wrong);
    ASSERT_EQ(R.Checks.size(), 1u);
    EXPECT_EQ(R.Checks[0].Launch, CheckOutcome::Wrong);
    EXPECT_EQ(R.Checks[0].Outcome, CheckOutcome::Wrong);
    ASSERT_TRUE(R.Checks[0].Detail);
    EXPECT_EQ(R.Checks[0].Detail->Link, CheckLink::Launch);
    EXPECT_EQ(R.Checks[0].Detail->Kind, Kind) << R.Message;
    EXPECT_EQ(R.Checks[0].Detail->Buffer, "C");
  }
};

TEST_F(RunnerLinks, AKernelThatIsWrongAtTheVariantsLaunchIsFound) {
  Job J = linked("fixed", "fixed", "fixed");
  Result R = runJob(J);
  expectLaunchWrong(R, MismatchKind::Value);
  EXPECT_NE(R.Message.find("n=1000: the kernel at this launch differs from the author's launch: buffer C, "
                           "value at 256: expected "),
            std::string::npos)
      << R.Message;
  J.Checks[0].Truth.reset();
  R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Ok) << "what only the truth can tell";
  EXPECT_EQ(R.Checks[0].Launch, CheckOutcome::Skipped);
}

TEST_F(RunnerLinks, BothLinksHoldWhereTheLaunchIsRight) {
  Result R = runJob(linked("other", "another", "right"));
  EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
  EXPECT_EQ(R.Check, CheckOutcome::Bitwise);
  EXPECT_EQ(R.Checks[0].Launch, CheckOutcome::Bitwise);
  EXPECT_EQ(R.Checks[0].Outcome, CheckOutcome::Bitwise);
}

TEST_F(RunnerLinks, AReferenceThatIsAnotherOnlyOnceIsWrong) {
  Result R = runJob(linked("right", "second_value", "right"));
  if (hasOwnKernels())
    expectLaunchWrong(R, MismatchKind::Value);
  else
    EXPECT_EQ(R.Status, ResultStatus::Wrong) << "its two runs differ";
}

TEST_F(RunnerLinks, TheTruthMayBeTheReference) {
  Job J = linked("other", "right", "right");
  J.Checks[0].Truth = J.Checks[0].Reference;
  EXPECT_EQ(runJob(J).Checks[0].Launch, CheckOutcome::Bitwise);
}

TEST_F(RunnerLinks, AWrongVariantFailsTheOtherLink) {
  Result R = runJob(linked("wrong", "another", "right"));
  EXPECT_EQ(R.Status, ResultStatus::Wrong);
  ASSERT_TRUE(R.Checks.size() == 1 && R.Checks[0].Detail) << R.Message;
  EXPECT_EQ(R.Checks[0].Detail->Link, CheckLink::Variant);
  EXPECT_EQ(R.Checks[0].Launch, CheckOutcome::Bitwise);
}

TEST_F(RunnerLinks, EveryProblemIsLinked) {
  Job J = linked("fixed", "right", "right");
  J.Checks[0].Candidate = at("fixed", 128);
  J.Checks.push_back(linked("fixed", "fixed", "fixed").Checks[0]);
  J.Checks[1].Name = "the other";
  Result R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Wrong);
  ASSERT_EQ(R.Checks.size(), 2u);
  EXPECT_EQ(R.Checks[0].Launch, CheckOutcome::Bitwise);
  EXPECT_EQ(R.Checks[1].Launch, CheckOutcome::Wrong);
}

TEST_F(RunnerLinks, WhatTheKernelAtTheVariantsLaunchDoesBesideIsItsFault) {
  Result R = runJob(linked("right", "overruns", "overruns"));
  expectLaunchWrong(R, MismatchKind::GuardAfter);
  EXPECT_EQ(runJob(linked("right", "refused", "right")).Status, ResultStatus::Reference)
      << "that the driver does not take it says nothing of the candidate";
}

TEST_F(RunnerLinks, ATruthThatFailsSaysNothingOfTheCandidate) {
  for (const char *Truth : {"unknown", "spoils_input", "behind", "leftover"}) {
    if (StringRef(Truth) == "leftover" && !hasOwnKernels())
      continue; // Shared memory is not filled.
    Result R = runJob(linked("right", "right", Truth));
    EXPECT_EQ(R.Status, ResultStatus::Reference) << Truth << ": " << R.Message;
    EXPECT_NE(R.Message.find("the truth program: "), std::string::npos) << R.Message;
  }
}

TEST_F(RunnerLinks, TheTruthIsComparedWithStock) {
  Job J = linked("wrong", "wrong", "wrong");
  J.Checks[0].Stock = at("right", 128);
  Result R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Reference);
  EXPECT_NE(R.Message.find("the stock program: buffer C"), std::string::npos) << R.Message;
  // What is wrong of the launch is not the author's fault.
  J = linked("fixed", "fixed", "fixed");
  J.Checks[0].Stock = at("right", 128);
  expectLaunchWrong(runJob(J), MismatchKind::Value);
}

TEST_F(RunnerLinks, OnlyBuffersOpenBetweenLaunchesMayDifferThere) {
  Job J = linked("ordered", "ordered", "ordered");
  expectLaunchWrong(runJob(J), MismatchKind::Value);
  expectLaunchWrong(runJob(opened(J, true, false)), MismatchKind::Value);
  Result R = runJob(opened(J, false, true));
  EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
  EXPECT_EQ(R.Check, CheckOutcome::Tolerance) << "the worst of both links";
  EXPECT_EQ(R.Checks[0].Outcome, CheckOutcome::Bitwise);
  EXPECT_FALSE(R.Checks[0].Apart);
  EXPECT_EQ(R.Checks[0].Launch, CheckOutcome::Tolerance);
  ASSERT_TRUE(R.Checks[0].LaunchApart);
  EXPECT_EQ(R.Checks[0].LaunchApart->Buffer, "C");
  EXPECT_EQ(R.Checks[0].LaunchApart->Reason, "atomicrmw fadd");
  EXPECT_EQ(R.Checks[0].LaunchApart->Apart.Index, 5u);
  EXPECT_EQ(R.Checks[0].LaunchApart->Apart.Elements, 1u);
  EXPECT_GT(R.Checks[0].LaunchApart->Apart.MaxRelative, 1e-7);
  EXPECT_LT(R.Checks[0].LaunchApart->Apart.MaxRelative, 1e-5);
  J.Compare.Relative = 1e-8;
  expectLaunchWrong(runJob(opened(J, false, true)), MismatchKind::Value);
}

TEST_F(RunnerLinks, OnlyBuffersOpenBetweenVariantsMayDifferThere) {
  Job J = linked("close", "right", "right");
  EXPECT_EQ(runJob(J).Status, ResultStatus::Wrong);
  EXPECT_EQ(runJob(opened(J, false, true)).Status, ResultStatus::Wrong);
  J.Checks[0].Buffers.push_back({"D", ElementType::F32, 10, Fill(), BufferRole::Out});
  EXPECT_EQ(runJob(opened(J, true, true, 2)).Status, ResultStatus::Wrong) << "another buffer is open";
  Result R = runJob(opened(J, true, false));
  EXPECT_EQ(R.Check, CheckOutcome::Tolerance) << R.Message;
  EXPECT_EQ(R.Checks[0].Outcome, CheckOutcome::Tolerance);
  EXPECT_EQ(R.Checks[0].Launch, CheckOutcome::Bitwise);
  ASSERT_TRUE(R.Checks[0].Apart);
  EXPECT_EQ(R.Checks[0].Apart->Buffer, "C");
  EXPECT_EQ(R.Checks[0].Apart->Reason, "atomicrmw fadd");
  EXPECT_FALSE(R.Checks[0].LaunchApart);
}

TEST_F(RunnerLinks, WhichElementsAreWrittenIsNeverOpen) {
  auto Check = [&](StringRef Candidate, StringRef Reference, StringRef Truth) {
    Job J = opened(linked(Candidate, Reference, Truth), true, true);
    J.Compare.Absolute = 1e17; // Beyond what the patterns are apart.
    return runJob(J);
  };
  EXPECT_EQ(Check("close", "right", "right").Status, ResultStatus::Ok);
  Result R = Check("half", "right", "right");
  EXPECT_EQ(R.Status, ResultStatus::Wrong);
  EXPECT_EQ(R.Checks[0].Detail->Kind, MismatchKind::Missing);
  EXPECT_EQ(R.Checks[0].Detail->Index, 500u);
  R = Check("right", "half", "half");
  EXPECT_EQ(R.Status, ResultStatus::Wrong);
  EXPECT_EQ(R.Checks[0].Detail->Kind, MismatchKind::Extra);
  expectLaunchWrong(Check("half", "half", "right"), MismatchKind::Missing);
  expectLaunchWrong(Check("right", "right", "half"), MismatchKind::Extra);
}

TEST_F(RunnerLinks, AnOpenReferenceMustAgreeWithItselfWithinTheTolerance) {
  Job J = linked("right", "unordered", "unordered");
  J.Checks[0].Truth.reset();
  Result R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Reference);
  EXPECT_NE(R.Message.find("buffer C, element 5 differs between two runs"), std::string::npos) << R.Message;
  J = opened(J, true, true);
  EXPECT_EQ(runJob(J).Check, CheckOutcome::Tolerance);
  J.Compare.Relative = 1e-8;
  EXPECT_EQ(runJob(J).Status, ResultStatus::Reference);
  J.Checks[0].Open.clear();
  J.Compare.Mode = CompareMode::Tolerance;
  EXPECT_EQ(runJob(J).Status, ResultStatus::Reference) << "the same where the whole job is compared so";
  J.Compare.Relative = 1e-5;
  EXPECT_EQ(runJob(J).Check, CheckOutcome::Tolerance);
}

TEST_F(RunnerLinks, ALaunchThatIsNotTheSameEachTimeDiffers) {
  expectLaunchWrong(runJob(linked("right", "unordered", "right")), MismatchKind::Value);
  if (hasOwnKernels()) // They fill shared memory.
    expectLaunchWrong(runJob(linked("right", "leftover", "right")), MismatchKind::Value);
  Result R = runJob(linked("right", "every_other", "right"));
  expectLaunchWrong(R, MismatchKind::Value);
  ASSERT_TRUE(R.Checks.size() == 1 && R.Checks[0].Detail) << R.Message;
  EXPECT_EQ(R.Checks[0].Detail->Index, 5u) << "the first run agrees with the truth, the second does not";
}

TEST_F(RunnerLinks, ALinkIsProvedOnce) {
  Job J = linked("other", "another", "right");
  for (const Result &R : run(logging(), {J, J, J}))
    EXPECT_EQ(R.Checks[0].Launch, CheckOutcome::Bitwise) << R.Message;
  EXPECT_EQ(logged("launch right "), 2u);
  EXPECT_EQ(logged("launch another "), 2u);
  EXPECT_EQ(logged("launch other "), 6u);
}

TEST_F(RunnerLinks, ALinkThatFailedStaysFailed) {
  Job J = linked("fixed", "fixed", "fixed"), Open = opened(J, false, true);
  Open.Compare.Absolute = 2;
  std::vector<Result> R = run(logging(), {J, J});
  for (const Result &Each : R)
    expectLaunchWrong(Each, MismatchKind::Value);
  EXPECT_EQ(logged("launch fixed "), hasOwnKernels() ? 5u : 4u)
      << "two runs of each, behind one that is compared at once; the candidate is not run";
  // Another tolerance, or another open buffer, is another question.
  EXPECT_EQ(run("", {J, Open})[1].Status, ResultStatus::Ok);
}

TEST_F(RunnerLinks, ARivalsLaunchIsLinkedToo) {
  Job J = timedJob(Files.cubin(), "fast");
  J.Timing->Rivals = {{"one", linked("fixed", "fixed", "fixed").Checks[0]}};
  Result R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Wrong);
  EXPECT_EQ(R.Culprit, "one");
  EXPECT_NE(R.Message.find("rival one: the kernel at this launch differs"), std::string::npos) << R.Message;
  EXPECT_TRUE(R.SamplesMs.empty());
  J.Timing->Rivals = {{"one", opened(linked("close", "right", "right"), true, false).Checks[0]}};
  J.Compare.Relative = 1e-5;
  EXPECT_EQ(runJob(J).Status, ResultStatus::Ok);
}

TEST_F(RunnerLinks, WhatIsLeftInSharedMemoryMakesNothingRight) {
  if (!hasOwnKernels())
    GTEST_SKIP() << "shared memory is not filled";
  Result R = runJob(job(Files.cubin(), "leftover"));
  EXPECT_EQ(R.Status, ResultStatus::Wrong) << R.Message;
  ASSERT_TRUE(R.Checks.size() == 1 && R.Checks[0].Detail);
  EXPECT_EQ(R.Checks[0].Detail->Index, 2u);
  Job J = job(Files.cubin(), "leftover");
  J.Checks[0].Reference = program(Files.cubin(), "leftover");
  R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Reference) << "two patterns, two results";
  EXPECT_NE(R.Message.find("element 2 differs between two runs"), std::string::npos) << R.Message;
}

TEST_F(RunnerLinks, SharedMemoryIsFilledBeforeEveryCheckedKernelAndNoOther) {
  if (!hasOwnKernels())
    GTEST_SKIP() << "shared memory is not filled";
  Job J = timedJob(Files.cubin(), "fast");
  Program Twice = J.Checks[0].Candidate;
  Twice.Launches.push_back(Twice.Launches[0]);
  J.Checks[0].Candidate = Twice;
  EXPECT_EQ(run(logging(), J)[0].Status, ResultStatus::Ok);
  // A first fill shows that the driver lets it; two runs of the reference, two of two kernels, and one of
  // these after timing.
  EXPECT_EQ(logged("shared 119"), 1u + 1 + 2 + 2);
  EXPECT_EQ(logged("shared 247"), 1u + 2);
}

TEST_F(RunnerLinks, ADriverThatDoesNotFillSharedMemorySaysSoInTheHello) {
  if (!hasOwnKernels())
    GTEST_SKIP() << "shared memory is not filled";
  RunnerOptions Options;
  Options.Commands = {runnerCommand("FAKE_CUDA_NO_JIT=1"), runnerCommand()};
  auto Client = RunnerClient::start(Options);
  ASSERT_TRUE(bool(Client)) << toString(Client.takeError());
  std::vector<Hello> Hellos = (*Client)->hellos();
  ASSERT_EQ(Hellos.size(), 2u);
  EXPECT_NE(Hellos[0].SharedUnfilled.find("cuModuleLoadData of the runner's own kernel"), std::string::npos)
      << Hellos[0].SharedUnfilled;
  EXPECT_EQ(Hellos[1].SharedUnfilled, "");
  EXPECT_EQ(run("FAKE_CUDA_NO_JIT=1", job(Files.cubin(), "leftover"))[0].Status, ResultStatus::Ok);
}

TEST(SharedPatterns, AreLargeNumbersOfEitherSign) {
  for (ElementType Type : {ElementType::F16, ElementType::BF16, ElementType::F32, ElementType::F64}) {
    double Values[2];
    for (size_t I = 0; I != 2; ++I) {
      std::vector<uint8_t> Bytes(8, SharedPatterns[I]);
      Values[I] = toDouble(Type, loadElement(Type, Bytes.data()));
      EXPECT_TRUE(std::isfinite(Values[I]));
      EXPECT_GT(std::fabs(Values[I]), 1e4);
    }
    EXPECT_LT(Values[0] * Values[1], 0);
  }
}

} // namespace
