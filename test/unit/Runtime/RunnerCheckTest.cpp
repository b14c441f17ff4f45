//===- RunnerCheckTest.cpp - The correctness gate of the runner -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RunnerTesting.h"
#include "gpuprune/Runtime/Fill.h"
#include "gpuprune/Support/ContentHash.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::protocol;
using namespace gpuprune::testing;

namespace {

class RunnerCheck : public ::testing::Test {
protected:
  Scratch Files;
  Result check(StringRef Symbol) { return runJob(job(Files.cubin(), Symbol)); }
  const Mismatch &wrong(const Result &R) {
    static const Mismatch None;
    EXPECT_EQ(R.Status, ResultStatus::Wrong) << R.Message;
    EXPECT_EQ(R.Check, CheckOutcome::Wrong);
    bool HasDetail = !R.Checks.empty() && R.Checks.back().Detail;
    EXPECT_TRUE(HasDetail);
    return HasDetail ? *R.Checks.back().Detail : None;
  }
};

TEST_F(RunnerCheck, EqualOutputIsBitwise) {
  Result R = check("right");
  EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
  EXPECT_EQ(R.Check, CheckOutcome::Bitwise);
  ASSERT_EQ(R.Checks.size(), 1u);
  EXPECT_EQ(R.Checks[0].Problem, "n=1000");
  EXPECT_TRUE(R.SamplesMs.empty());
}

TEST_F(RunnerCheck, ReportsDriverFacts) {
  Job J = job(Files.cubin(), "right");
  J.Checks[0].Candidate.Launches[0].SharedBytes = 100 * 1024;
  Result R = runJob(J);
  ASSERT_EQ(R.Kernels.size(), 1u) << R.Message;
  EXPECT_EQ(R.Kernels[0].Symbol, "right");
  EXPECT_EQ(R.Kernels[0].Registers, 40);
  EXPECT_EQ(R.Kernels[0].SharedBytes, 2048);
  EXPECT_EQ(R.Kernels[0].LocalBytes, 16);
  EXPECT_EQ(R.Kernels[0].MaxThreads, 1024);
  EXPECT_EQ(R.Kernels[0].BlocksPerSM, 1) << "with its dynamic shared memory";
}

TEST_F(RunnerCheck, FindsWrongValues) {
  Result R = check("wrong");
  const Mismatch &M = wrong(R);
  EXPECT_EQ(M.Kind, MismatchKind::Value);
  EXPECT_EQ(M.Buffer, "C");
  EXPECT_EQ(M.Index, 5u);
  EXPECT_EQ(M.Differing, 2u);
  EXPECT_NE(M.Expected, M.Got);
  EXPECT_NE(R.Message.find("n=1000: buffer C, value at 5"), std::string::npos) << R.Message;
}

TEST_F(RunnerCheck, FindsWritesBehindABuffer) {
  const Mismatch M = wrong(check("behind"));
  EXPECT_EQ(M.Kind, MismatchKind::GuardAfter);
  EXPECT_EQ(M.Buffer, "C");
  EXPECT_EQ(M.Index, 12u);
  EXPECT_EQ(M.Differing, 4u);
}

TEST_F(RunnerCheck, FindsWritesBeforeABuffer) {
  const Mismatch M = wrong(check("before"));
  EXPECT_EQ(M.Kind, MismatchKind::GuardBefore);
  EXPECT_EQ(M.Buffer, "A");
  EXPECT_EQ(M.Index, 5u) << "1.0f at -8 bytes ends 5 bytes before the buffer";
}

TEST_F(RunnerCheck, FindsElementsNotWritten) {
  const Mismatch M = wrong(check("nothing"));
  EXPECT_EQ(M.Kind, MismatchKind::Missing);
  EXPECT_EQ(M.Differing, 1000u);
}

TEST_F(RunnerCheck, FindsElementsTheReferenceLeavesAlone) {
  Job J = job(Files.cubin(), "right");
  J.Checks[0].Reference = program(Files.cubin(), "half");
  const Mismatch M = wrong(runJob(J));
  EXPECT_EQ(M.Kind, MismatchKind::Extra);
  EXPECT_EQ(M.Index, 500u);
  EXPECT_EQ(M.Differing, 500u);
  J.Checks[0].Candidate = program(Files.cubin(), "half");
  EXPECT_EQ(runJob(J).Check, CheckOutcome::Bitwise);
}

TEST_F(RunnerCheck, FindsChangedInputsAndUploadsThemAgain) {
  std::vector<Result> R = runJobs({job(Files.cubin(), "spoils_input"), job(Files.cubin(), "right")});
  ASSERT_EQ(R.size(), 2u);
  const Mismatch &M = wrong(R[0]);
  EXPECT_EQ(M.Kind, MismatchKind::Input);
  EXPECT_EQ(M.Buffer, "A");
  EXPECT_EQ(M.Index, 3u);
  EXPECT_EQ(R[1].Status, ResultStatus::Ok) << R[1].Message;
}

TEST_F(RunnerCheck, RestoresInoutBuffersBeforeEachRun) {
  Job J = job(Files.cubin(), "adds");
  J.Checks[0].Reference = program(Files.cubin(), "adds");
  J.Checks[0].Buffers[1].Role = BufferRole::InOut;
  J.Checks[0].Buffers[1].Contents = J.Checks[0].Buffers[0].Contents;
  Result R = runJob(J);
  EXPECT_EQ(R.Check, CheckOutcome::Bitwise) << R.Message;
}

TEST_F(RunnerCheck, ReferenceThatReadsItsOutputIsRefused) {
  Job J = job(Files.cubin(), "adds");
  J.Checks[0].Reference = program(Files.cubin(), "adds");
  Result R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Reference);
  EXPECT_NE(R.Message.find("declare the buffer inout"), std::string::npos) << R.Message;
}

TEST_F(RunnerCheck, ToleranceIsUsedOnlyWhereAskedFor) {
  Job J = job(Files.cubin(), "close");
  EXPECT_EQ(runJob(J).Status, ResultStatus::Wrong);
  J.Compare = {CompareMode::Tolerance, 1e-5, 0};
  Result R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
  EXPECT_EQ(R.Check, CheckOutcome::Tolerance);
  J.Compare.Relative = 1e-8;
  EXPECT_EQ(runJob(J).Status, ResultStatus::Wrong);
}

TEST_F(RunnerCheck, StockIsComparedByTolerance) {
  Job J = job(Files.cubin(), "right");
  J.Checks[0].Stock = program(Files.cubin(), "close");
  J.Compare.Relative = 1e-5;
  EXPECT_EQ(runJob(J).Check, CheckOutcome::Bitwise);
  J.Checks[0].Stock = program(Files.cubin(), "wrong");
  Result R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Reference);
  EXPECT_NE(R.Message.find("stock"), std::string::npos) << R.Message;
}

TEST_F(RunnerCheck, StockAloneIsTheReference) {
  Job J = job(Files.cubin(), "close");
  J.Checks[0].Reference.reset();
  J.Checks[0].Stock = program(Files.cubin(), "right");
  J.Compare.Relative = 1e-5;
  EXPECT_EQ(runJob(J).Check, CheckOutcome::Tolerance);
}

TEST_F(RunnerCheck, WithoutReferenceOnlyGuardsAndInputsAreChecked) {
  Job J = job(Files.cubin(), "wrong");
  J.Checks[0].Reference.reset();
  Result R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Ok);
  EXPECT_EQ(R.Check, CheckOutcome::Skipped);
  J.Checks[0].Candidate = program(Files.cubin(), "behind");
  EXPECT_EQ(runJob(J).Status, ResultStatus::Wrong);
}

TEST_F(RunnerCheck, AllProblemsAreChecked) {
  Job J = job(Files.cubin(), "right");
  J.Checks.push_back(problem(Files.cubin(), "wrong", 64));
  J.Checks.push_back(problem(Files.cubin(), "right", 96));
  Result R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Wrong);
  ASSERT_EQ(R.Checks.size(), 2u) << "it stops at the first wrong one";
  EXPECT_EQ(R.Checks[0].Outcome, CheckOutcome::Bitwise);
  EXPECT_EQ(R.Checks[1].Problem, "n=64");
}

TEST_F(RunnerCheck, InputsAreMadeAndReferencesRunOnce) {
  if (!hasOwnKernels())
    GTEST_SKIP() << "the host makes them";
  std::string Log = Files.file("log");
  gpuprune::RunnerOptions Options;
  Options.Commands = {runnerCommand("FAKE_CUDA_LOG=" + Log)};
  Job J = job(Files.cubin(), "right");
  for (const Result &R : runJobs(Options, {J, J, J}))
    EXPECT_EQ(R.Check, CheckOutcome::Bitwise);
  EXPECT_EQ(linesOf(Files.read("log"), {"upload", "module", "gpuprune_fill", "gpuprune_find_unwritten"}),
            "gpuprune_fill 0\nmodule 0\ngpuprune_find_unwritten 0\n");
}

TEST_F(RunnerCheck, ReferencesThatDoNotFitAreComparedOnTheHostAndToldOf) {
  if (!hasOwnKernels())
    GTEST_SKIP() << "all are on the host";
  gpuprune::RunnerOptions Options;
  // Two buffers of 8 MB fit beside what the runner needs itself, but no third one.
  Options.Commands = {runnerCommand("FAKE_CUDA_MEMORY=24000000")};
  Job Large = job(Files.cubin(), "right"), Wrong = job(Files.cubin(), "wrong");
  Large.Checks = {problem(Files.cubin(), "right", 2000000)};
  Wrong.Checks = {problem(Files.cubin(), "wrong", 2000000)};
  std::vector<Result> R = runJobs(Options, {Large, Wrong});
  EXPECT_EQ(R[0].Check, CheckOutcome::Bitwise) << R[0].Message;
  EXPECT_EQ(R[1].Check, CheckOutcome::Wrong);
  EXPECT_EQ(R[0].ReferencesOnHost, 8000000u);
  EXPECT_EQ(runJob(job(Files.cubin(), "right")).ReferencesOnHost, 0u);
}

TEST_F(RunnerCheck, AllThatNeedsMemoryMakesRoom) {
  auto Of = [&](StringRef Symbol, int Count) {
    Job J = job(Files.cubin(), Symbol);
    J.Checks = {problem(Files.cubin(), Symbol, Count)};
    J.Compare.Mode = CompareMode::Tolerance; // Needs more than buffers and references.
    J.Compare.Relative = 1e-4;
    return J;
  };
  // What the first job leaves there has to go; where the second has once had enough, more is enough, too.
  bool HadEnough = false;
  for (size_t Kilobytes = 8000; Kilobytes <= 44000; Kilobytes += 1000) {
    gpuprune::RunnerOptions Options;
    Options.Commands = {runnerCommand("FAKE_CUDA_MEMORY=" + std::to_string(Kilobytes * 1000))};
    Result Second = runJobs(Options, {Of("right", 2000000), Of("close", 1000000)})[1];
    HadEnough |= Second.Status == ResultStatus::Ok;
    EXPECT_EQ(Second.Status, HadEnough ? ResultStatus::Ok : ResultStatus::Memory)
        << Kilobytes << " kB: " << Second.Message;
  }
  EXPECT_TRUE(HadEnough);
}

TEST_F(RunnerCheck, BuffersThatDoNotFitAreAResult) {
  gpuprune::RunnerOptions Options;
  Options.Commands = {runnerCommand("FAKE_CUDA_MEMORY=4000000")};
  Job Large = job(Files.cubin(), "right");
  Large.Checks = {problem(Files.cubin(), "right", 1000000)};
  // Two that fit alone but not together, so that the first must make room.
  Job First = job(Files.cubin(), "right"), Second = First;
  First.Checks = {problem(Files.cubin(), "right", 300000)};
  Second.Checks = {problem(Files.cubin(), "right", 200000)};
  std::vector<Result> R = runJobs(Options, {First, Large, Second, First});
  ASSERT_EQ(R.size(), 4u);
  EXPECT_EQ(R[0].Status, ResultStatus::Ok) << R[0].Message;
  EXPECT_EQ(R[1].Status, ResultStatus::Memory) << R[1].Message;
  EXPECT_EQ(R[2].Status, ResultStatus::Ok) << R[2].Message;
  EXPECT_EQ(R[3].Status, ResultStatus::Ok) << R[3].Message;
}

/// "scales" multiplies by the sum of the symbol's two elements, which hold \p Value or, beyond \p Count,
/// zero.
Problem scalingProblem(StringRef Cubin, double Value, uint64_t Count) {
  Problem P = problem(Cubin, "scales");
  P.Name = formatv("{0} times {1}", Count, Value);
  P.Reference = program(Cubin, "scales");
  P.Buffers.push_back({"F", ElementType::F32, Count, {FillKind::Constant, Value}, BufferRole::In, "factors"});
  return P;
}

TEST_F(RunnerCheck, SymbolsHoldTheirBuffers) {
  Job J = job(Files.cubin(), "right");
  J.Checks = {scalingProblem(Files.cubin(), 5, 2), scalingProblem(Files.cubin(), 1, 2)};
  J.Checks[1].Reference = program(Files.cubin(), "right");
  Result R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
  J.Checks[1].Buffers.back().Contents.Value = 1.5;
  EXPECT_EQ(runJob(J).Status, ResultStatus::Wrong);
}

TEST_F(RunnerCheck, WhatASymbolHasBeyondItsBufferIsZero) {
  Job J = job(Files.cubin(), "right");
  J.Checks = {scalingProblem(Files.cubin(), 7, 2), scalingProblem(Files.cubin(), 2, 1)};
  J.Checks[1].Reference = program(Files.cubin(), "right");
  Result R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
}

TEST_F(RunnerCheck, ProgramsWithOtherContentsOfASymbolAreTimedTogether) {
  Job J = timedJob(Files.cubin(), "scales");
  J.Checks = {scalingProblem(Files.cubin(), 1, 2)};
  J.Timing->Problem = J.Checks[0].Name;
  Rival Other{"five times", scalingProblem(Files.cubin(), 5, 1)};
  J.Timing->Rivals = {Other};
  Result R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
  EXPECT_EQ(R.SamplesMs.size(), 5u);
}

TEST_F(RunnerCheck, BuffersBeginWhereTheKernelNeedsThem) {
  Job J = timedJob(Files.cubin(), "right");
  J.Timing->Rotate = 3;
  J.Checks[0].Candidate.Launches[0].PointerAlignment = 256;
  Result R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
}

/// Both arguments point into one buffer: its first half is read, its second written.
static Job halves(StringRef Cubin, StringRef Symbol, uint64_t Offset) {
  Job J = job(Cubin, Symbol);
  Problem &P = J.Checks[0];
  P.Buffers = {P.Buffers[0]};
  P.Buffers[0].Count = 2000;
  P.Buffers[0].Role = BufferRole::InOut;
  P.Candidate.Launches[0].Args[1] = protocol::Argument::buffer(0, Offset);
  P.Reference->Launches[0].Args[1] = protocol::Argument::buffer(0, 4000);
  return J;
}

TEST_F(RunnerCheck, AnArgumentMayPointIntoABuffer) {
  Result R = runJob(halves(Files.cubin(), "other", 4000));
  EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
  EXPECT_EQ(R.Check, CheckOutcome::Bitwise);
  R = runJob(halves(Files.cubin(), "other", 3996));
  EXPECT_EQ(R.Status, ResultStatus::Wrong);
  EXPECT_NE(R.Message.find("buffer A, value at 999"), std::string::npos) << R.Message;
  EXPECT_EQ(runJob(halves(Files.cubin(), "wrong", 4000)).Status, ResultStatus::Wrong);
  EXPECT_EQ(runJob(halves(Files.cubin(), "behind", 4000)).Status, ResultStatus::Wrong) << "the guard zone";
}

TEST_F(RunnerCheck, AnOffsetIsInTheBufferAndAsAlignedAsTheKernelNeedsIt) {
  Job J = halves(Files.cubin(), "other", 8000);
  EXPECT_NE(runJob(J).Message.find("an argument of other is byte 8000 of the buffer A, which has 8000 bytes"),
            std::string::npos);
  J = halves(Files.cubin(), "other", 4000);
  J.Checks[0].Candidate.Launches[0].PointerAlignment = 32;
  EXPECT_EQ(runJob(J).Status, ResultStatus::Ok);
  J.Checks[0].Candidate.Launches[0].PointerAlignment = 64;
  Result R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Launch);
  EXPECT_NE(R.Message.find("argument 1, the buffer A, is at an address that is 32 modulo 64"),
            std::string::npos)
      << R.Message;
  J.Checks[0].Candidate.Launches[0].PointerAlignment = 1;
  J.Checks[0].Candidate.Launches[0].ConstantCopies = {{1, 8000, "factors"}};
  EXPECT_NE(runJob(J).Message.find("which begins at byte 4000 of its buffer; only whole buffers are copied"),
            std::string::npos);
}

TEST_F(RunnerCheck, ABufferThatBeginsElsewhereIsNotLaunchedWith) {
  std::string Calls = Files.file("calls");
  RunnerOptions Options;
  Options.Commands = {runnerCommand("FAKE_CUDA_OFFSET=8 FAKE_CUDA_CALLS=" + Calls)};
  Job Aligned = job(Files.cubin(), "right"), Tight = Aligned, Baseline = timedJob(Files.cubin(), "right");
  Aligned.Checks[0].Candidate.Launches[0].PointerAlignment = 8;
  Tight.Checks[0].Candidate.Launches[0].PointerAlignment = 16;
  Baseline.Timing->Baseline->Launches[0].PointerAlignment = 16;
  std::vector<Result> R = runJobs(Options, {Tight, Aligned, Baseline});
  ASSERT_EQ(R.size(), 3u);
  EXPECT_EQ(R[0].Status, ResultStatus::Launch);
  EXPECT_FALSE(R[0].RunnerEnds);
  EXPECT_NE(R[0].Message.find(
                "right: argument 0, the buffer A, is at an address that is 8 modulo 16, and the kernel "
                "is compiled for buffers that begin at multiples of 16 bytes"),
            std::string::npos)
      << R[0].Message;
  EXPECT_EQ(R[1].Status, ResultStatus::Ok) << R[1].Message;
  EXPECT_EQ(R[2].Status, ResultStatus::Reference) << "nothing is known of the candidate";
  EXPECT_NE(R[2].Message.find("8 modulo 16"), std::string::npos) << R[2].Message;
}

TEST_F(RunnerCheck, FindsChangedSymbols) {
  Job J = job(Files.cubin(), "spoils_symbol");
  J.Checks[0].Buffers.push_back(
      {"F", ElementType::F32, 2, {FillKind::Constant, 1}, BufferRole::In, "factors"});
  const Mismatch M = wrong(runJob(J));
  EXPECT_EQ(M.Kind, MismatchKind::Input);
  EXPECT_EQ(M.Buffer, "F");
}

TEST_F(RunnerCheck, SymbolsThatDoNotFitAreNamed) {
  Job J = job(Files.cubin(), "scales");
  J.Checks = {scalingProblem(Files.cubin(), 1, 3)};
  Result R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Launch);
  EXPECT_NE(R.Message.find("buffer F has 12 bytes, the symbol factors, which it is copied to, only 8"),
            std::string::npos)
      << R.Message;
  J.Checks[0].Buffers.back().Symbol = "factor";
  R = runJob(J);
  EXPECT_EQ(R.Status, ResultStatus::Load);
  EXPECT_NE(R.Message.find("no module of the program has the symbol factor, which buffer F is copied to"),
            std::string::npos)
      << R.Message;
}

/// \p Symbol beside the bytes that \p Bytes gives for buffer C.
class ExpectedOutputs : public RunnerCheck {
protected:
  Result compared(StringRef Symbol, StringRef Hash, StringRef Bytes) {
    Job J = job(Files.cubin(), Symbol);
    J.Compare = {CompareMode::Tolerance, 1e-5, 0};
    J.Checks[0].Expected = {{1, Hash.str(), ""}};
    if (!Bytes.empty()) {
      Files.write("expected.bin", Bytes);
      J.Checks[0].Expected[0].File = Files.file("expected.bin");
    }
    return runJob(J);
  }
  /// What "right" computes.
  std::string right() const {
    std::vector<uint8_t> In(4000);
    EXPECT_FALSE(errorToBool(fillBuffer(ElementType::F32, problem("", "").Buffers[0].Contents, In)));
    std::string Out(4000, 0);
    for (size_t At = 0; At != 4000; At += 4) {
      float Value;
      std::memcpy(&Value, &In[At], 4);
      Value *= 2;
      std::memcpy(&Out[At], &Value, 4);
    }
    return Out;
  }
};

TEST_F(ExpectedOutputs, TheHashIsThatOfTheFirstPattern) {
  Result R = compared("right", "other", "");
  ASSERT_EQ(R.Checks.size(), 1u) << R.Message;
  EXPECT_EQ(R.Checks[0].Outputs, (std::vector<Output>{{"C", contentHash(right()), std::nullopt}}));
  Job Half = job(Files.cubin(), "half");
  Half.Checks[0].Reference = program(Files.cubin(), "half");
  Half.Checks[0].Expected = {{1, "", ""}};
  R = runJob(Half);
  ASSERT_EQ(R.Checks.size(), 1u) << R.Message;
  EXPECT_EQ(R.Checks[0].Outputs[0].Hash,
            contentHash(right().substr(0, 2000) + std::string(2000, char(0xA5))));
}

TEST_F(ExpectedOutputs, ByHowMuchWhereTheHashIsAnother) {
  EXPECT_FALSE(compared("close", contentHash(right()), "").Checks[0].Outputs[0].Apart) << "there is no file";
  EXPECT_FALSE(compared("right", contentHash(right()), right()).Checks[0].Outputs[0].Apart);
  Result R = compared("close", contentHash(right()), right());
  EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
  ASSERT_TRUE(R.Checks[0].Outputs[0].Apart);
  const Difference &Apart = *R.Checks[0].Outputs[0].Apart;
  EXPECT_EQ(Apart.Elements, 1u);
  EXPECT_EQ(Apart.Outside, 0u);
  EXPECT_EQ(Apart.Index, 5u);
  EXPECT_GT(Apart.MaxRelative, 1e-7);
  EXPECT_LT(Apart.MaxRelative, 1e-5);
}

TEST_F(ExpectedOutputs, NothingIsSaidOfWhatIsWrong) {
  EXPECT_TRUE(compared("wrong", contentHash(right()), right()).Checks[0].Outputs.empty());
}

TEST_F(ExpectedOutputs, AFileThatDoesNotFitIsTheJobsError) {
  Result Short = compared("close", "", "short");
  EXPECT_EQ(Short.Status, ResultStatus::Error);
  EXPECT_NE(Short.Message.find("has 5 bytes, but the buffer C has 4000"), std::string::npos) << Short.Message;
  Job J = job(Files.cubin(), "close");
  J.Compare = {CompareMode::Tolerance, 1e-5, 0};
  J.Checks[0].Expected = {{1, "", Files.file("nowhere.bin")}};
  Result Missing = runJob(J);
  EXPECT_EQ(Missing.Status, ResultStatus::Error);
  EXPECT_NE(Missing.Message.find("nowhere.bin': No such file"), std::string::npos) << Missing.Message;
}

} // namespace
