//===- RunnerInnocentTest.cpp - Whose fault a spoiled memory is -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Checker.h"
#include "KeptBytes.h"
#include "RunnerTesting.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::protocol;
using namespace gpuprune::testing;

namespace {

class RunnerInnocent : public ::testing::Test {
protected:
  Scratch Files;

  Job at(int Count, StringRef Symbol, StringRef Reference = "right") {
    Job J = job(Files.cubin(), Symbol);
    J.Checks = {problem(Files.cubin(), Symbol, Count)};
    J.Checks[0].Reference = program(Files.cubin(), Reference, Count);
    return J;
  }
  /// "adds" to a buffer that it finds full.
  Job adding(int Count) {
    Job J = at(Count, "adds", "adds");
    J.Checks[0].Buffers[0].Role = J.Checks[0].Buffers[1].Role = BufferRole::InOut;
    J.Checks[0].Buffers[1].Contents = {FillKind::Iota};
    return J;
  }
  std::vector<Result> run(const Twine &Environment, ArrayRef<Job> Jobs) {
    RunnerOptions Options;
    Options.Commands = {runnerCommand(Environment.str())};
    return runJobs(Options, Jobs);
  }
  Job timed(StringRef Symbol) {
    Job J = timedJob(Files.cubin(), Symbol);
    J.Timing->StableWithin = 0;
    return J;
  }
  static void expectNoTimes(const Result &R) {
    EXPECT_TRUE(R.SamplesMs.empty() && R.BaselineMs.empty() && R.Rivals.empty());
    EXPECT_FALSE(R.MedianMs || R.BaselineMedianMs || R.FewSamples || R.Warmed || R.GpuClock);
  }
};

TEST_F(RunnerInnocent, AWildWriteIsNotBlamedOnWhoComesNext) {
  for (const char *Wild : {"wild", "wild_mebibyte"}) {
    // The smaller size is kept on the device while "wild" writes into it from the larger one.
    std::vector<Result> R =
        run("", {at(96, "right"), adding(64), at(1000, Wild), at(96, "right"), adding(64), at(1000, Wild),
                 at(96, "other", "another"), at(1000, Wild), at(96, "wrong"), at(1000, Wild), adding(64),
                 at(1000, Wild), adding(64)});
    ASSERT_EQ(R.size(), 13u);
    for (size_t I : {2, 5, 7, 9, 11}) {
      if (!hasOwnKernels()) {
        EXPECT_EQ(R[I].Check, CheckOutcome::Bitwise) << "what is kept on the host is out of its reach";
        continue;
      }
      ASSERT_TRUE(R[I].Checks.size() == 1 && R[I].Checks[0].Detail) << R[I].Message;
      EXPECT_EQ(R[I].Checks[0].Detail->Kind, MismatchKind::Elsewhere);
      EXPECT_EQ(R[I].Message,
                "n=1000: it writes to memory that is none of its buffers and their guard zones");
    }
    for (size_t I : {3, 4, 6, 10, 12})
      EXPECT_EQ(R[I].Check, CheckOutcome::Bitwise) << Wild << " " << I << ": " << R[I].Message;
    ASSERT_TRUE(R[8].Checks.size() == 1 && R[8].Checks[0].Detail) << R[8].Message;
    EXPECT_EQ(R[8].Checks[0].Detail->Kind, MismatchKind::Value);
    EXPECT_EQ(R[8].Checks[0].Detail->Differing, 2u) << "what it did itself, and nothing else";
  }
}

TEST_F(RunnerInnocent, AWildProgramThatOthersAreComparedWithIsToldAsSuch) {
  if (!hasOwnKernels())
    GTEST_SKIP() << "what is kept on the host is out of its reach";
  const char *Elsewhere = "it writes to memory that is none of its buffers";
  Job J = at(1000, "other", "wild");
  Result R = run("", J)[0];
  EXPECT_EQ(R.Status, ResultStatus::Reference);
  EXPECT_EQ(R.Message, formatv("the reference program: {0} and their guard zones", Elsewhere).str());
  J.Checks[0].Truth = program(Files.cubin(), "right");
  R = run("", J)[0];
  EXPECT_EQ(R.Status, ResultStatus::Wrong);
  ASSERT_TRUE(R.Checks.size() == 1 && R.Checks[0].Detail) << R.Message;
  EXPECT_EQ(R.Checks[0].Detail->Kind, MismatchKind::Elsewhere);
  EXPECT_EQ(R.Checks[0].Detail->Link, CheckLink::Launch);
  J = at(1000, "other");
  J.Checks[0].Stock = program(Files.cubin(), "wild");
  R = run("", J)[0];
  EXPECT_EQ(R.Status, ResultStatus::Reference);
  EXPECT_EQ(R.Message, formatv("the stock program: {0} and their guard zones", Elsewhere).str());
}

TEST_F(RunnerInnocent, AGuardThatWasHitIsNamedWhateverElseWas) {
  Result R = run("", at(1000, "far_behind"))[0];
  EXPECT_NE(R.Message.find("buffer C, guard-after at 12"), std::string::npos) << R.Message;
}

TEST_F(RunnerInnocent, AfterWhatIsWrongNothingOnTheDeviceIsKept) {
  if (!hasOwnKernels())
    GTEST_SKIP() << "the host makes what is there";
  auto Made = [&](StringRef Symbol) {
    std::string Log = Files.file("log" + Symbol.str());
    std::vector<Result> R = run("FAKE_CUDA_LOG=" + Log, {at(96, "right"), at(1000, Symbol), at(96, "right")});
    EXPECT_EQ(R[2].Check, CheckOutcome::Bitwise);
    return linesOf(Files.read("log" + Symbol.str()), {"gpuprune_fill", "module"});
  };
  const char *Again = "gpuprune_fill 0\nmodule 0\ngpuprune_fill 0\ngpuprune_fill 0\nmodule 0\n";
  for (const char *Symbol : {"wrong", "behind", "spoils_input"})
    EXPECT_EQ(Made(Symbol), Again) << Symbol;
  for (const char *Symbol : {"other", "refused"})
    EXPECT_EQ(Made(Symbol), "gpuprune_fill 0\nmodule 0\ngpuprune_fill 0\n") << Symbol;
}

TEST_F(RunnerInnocent, WhatIsChangedOnlyWhileTimingIsFound) {
  for (auto [Symbol, Text] :
       {std::pair("late_input", "n=1000: after timing: buffer A, input at 3: expected "),
        std::pair("late_guard", "n=1000: after timing: buffer C, guard-after at 12")}) {
    Result R = run("FAKE_CUDA_LATE=6", timed(Symbol))[0];
    EXPECT_EQ(R.Status, ResultStatus::Wrong) << Symbol;
    EXPECT_EQ(R.Check, CheckOutcome::Wrong);
    EXPECT_NE(R.Message.find(Text), std::string::npos) << R.Message;
    ASSERT_EQ(R.Checks.size(), 1u);
    EXPECT_EQ(R.Checks[0].Outcome, CheckOutcome::Wrong);
    ASSERT_TRUE(R.Checks[0].Detail);
    expectNoTimes(R);
    R = run("FAKE_CUDA_LATE=1000", timed(Symbol))[0];
    EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
    EXPECT_EQ(R.SamplesMs.size(), 5u);
  }
}

TEST_F(RunnerInnocent, WhatIsChangedInACopyOfTheBuffersIsFound) {
  Job J = timed("late_guard");
  J.Timing->Rotate = 3;
  EXPECT_EQ(run("FAKE_CUDA_LATE=8", J)[0].Status, ResultStatus::Wrong);
  J.Timing->LimitMs = 0.1;
  Result Slow = run("FAKE_CUDA_LATE=2", J)[0];
  EXPECT_EQ(Slow.Status, ResultStatus::Wrong) << "what is too slow is looked at, too";
  expectNoTimes(Slow);
}

TEST_F(RunnerInnocent, WhoChangedItWhileTimingIsFoundOut) {
  Job J = timed("fast");
  J.Timing->Rivals = {{"one", problem(Files.cubin(), "other")},
                      {"two", problem(Files.cubin(), "late_input")},
                      {"three", problem(Files.cubin(), "another")}};
  Result R = run("FAKE_CUDA_LATE=6", J)[0];
  EXPECT_EQ(R.Status, ResultStatus::Wrong) << R.Message;
  EXPECT_EQ(R.Culprit, "two");
  EXPECT_NE(R.Message.find("rival two: after timing: buffer A, input at 3"), std::string::npos) << R.Message;
  expectNoTimes(R);
  J = timed("fast");
  J.Timing->Baseline = program(Files.cubin(), "late_guard");
  R = run("FAKE_CUDA_LATE=3", J)[0];
  EXPECT_EQ(R.Status, ResultStatus::Reference) << R.Message;
  EXPECT_NE(R.Message.find("the baseline program: after timing"), std::string::npos) << R.Message;
  expectNoTimes(R);
}

TEST_F(RunnerInnocent, WhatACheckDidToAnInputIsFoundAfterTiming) {
  std::vector<Result> R = run("", {timed("second_input"), timed("fast")});
  EXPECT_EQ(R[0].Status, ResultStatus::Wrong);
  EXPECT_NE(R[0].Message.find("n=1000: after timing: buffer A, input at 3"), std::string::npos)
      << R[0].Message;
  expectNoTimes(R[0]);
  EXPECT_EQ(R[1].Status, ResultStatus::Ok) << R[1].Message;
}

TEST_F(RunnerInnocent, WhoWroteOverAReferenceWhileTimingIsFoundOut) {
  if (!hasOwnKernels())
    GTEST_SKIP() << "what is kept on the host is out of its reach";
  const char *Text = "after timing: it writes to memory that is none of its buffers and their guard zones";
  std::vector<Result> R = run("FAKE_CUDA_LATE=4", {timed("late_wild"), timed("fast")});
  EXPECT_EQ(R[0].Status, ResultStatus::Wrong) << R[0].Message;
  EXPECT_EQ(R[0].Message, formatv("n=1000: {0}", Text).str());
  expectNoTimes(R[0]);
  EXPECT_EQ(R[1].Status, ResultStatus::Ok) << R[1].Message;
  // The baseline runs only while it is timed.
  Job J = timed("fast");
  J.Timing->Baseline = program(Files.cubin(), "late_wild");
  R = run("FAKE_CUDA_LATE=2", {J, timed("fast")});
  EXPECT_EQ(R[0].Status, ResultStatus::Reference) << R[0].Message;
  EXPECT_EQ(R[0].Message, formatv("the baseline program: {0}", Text).str());
  EXPECT_EQ(R[1].Status, ResultStatus::Ok) << R[1].Message;
  EXPECT_EQ(run("FAKE_CUDA_LATE=1000", timed("late_wild"))[0].Status, ResultStatus::Ok);
}

TEST_F(RunnerInnocent, AJobLooksAtEverythingAsOftenAsItMustAndNoMoreOften) {
  if (!hasOwnKernels())
    GTEST_SKIP() << "the host looks";
  auto Looks = [&](ArrayRef<Job> Jobs) {
    std::string Name = formatv("looks{0}", Jobs.size());
    for (const Result &R : run("FAKE_CUDA_LOG=" + Files.file(Name), Jobs))
      EXPECT_EQ(R.Status, ResultStatus::Ok) << R.Message;
    std::map<std::string, int> Count;
    std::string Log = Files.read(Name);
    for (StringRef Line : llvm::split(Log, '\n'))
      ++Count[Line.split(' ').first.str()];
    return Count;
  };
  std::map<std::string, int> First = Looks({timed("fast")}), Both = Looks({timed("fast"), timed("other")});
  auto OfSecond = [&](const char *What) { return Both[What] - First[What]; };
  EXPECT_EQ(OfSecond("gpuprune_compare"), 2)
      << "the second run over patterns and the one after timing; the reference with each";
  EXPECT_EQ(OfSecond("gpuprune_hash"), 2) << "what the first run left; inputs, after the last run";
  EXPECT_EQ(OfSecond("gpuprune_check_fill"), 5)
      << "guard zones of each run, and after timing of both programs";
  EXPECT_EQ(OfSecond("gpuprune_fill"), 0);
  EXPECT_EQ(OfSecond("module"), 0);
  EXPECT_EQ(OfSecond("upload"), 0);
  EXPECT_EQ(OfSecond("download"), 5)
      << "each run waits once for all that is looked at behind it; a hash is too small to be listed";
}

TEST_F(RunnerInnocent, WhatGoesWrongOnlyAfterManyRunsIsFound) {
  Result R = run("FAKE_CUDA_FICKLE=6", timed("fickle"))[0];
  EXPECT_EQ(R.Status, ResultStatus::Wrong);
  EXPECT_NE(R.Message.find("n=1000: after timing: buffer C, value at 0"), std::string::npos) << R.Message;
  expectNoTimes(R);
  EXPECT_EQ(run("FAKE_CUDA_FICKLE=1000", timed("fickle"))[0].Status, ResultStatus::Ok);
  // What is clearly slower, and than the baseline, too, does not run once more: it cannot win but in final
  // rounds, as the rival below.
  Job Slower = timed("fickle");
  Slower.Timing->ClearlySlowerMs = 1e-9;
  R = run("FAKE_CUDA_FICKLE=5 FAKE_CUDA_TIMES=fickle=2", Slower)[0];
  EXPECT_EQ(R.Status, ResultStatus::Ok);
  EXPECT_TRUE(R.FewSamples);
  // What is faster than the baseline may be deployed without final rounds.
  R = run("FAKE_CUDA_FICKLE=6 FAKE_CUDA_TIMES=fickle=0.125", Slower)[0];
  EXPECT_EQ(R.Status, ResultStatus::Wrong);
  EXPECT_NE(R.Message.find("n=1000: after timing: buffer C, value at 0"), std::string::npos) << R.Message;
  expectNoTimes(R);
  Slower.Timing->Baseline.reset();
  EXPECT_EQ(run("FAKE_CUDA_FICKLE=5 FAKE_CUDA_TIMES=fickle=2", Slower)[0].Status, ResultStatus::Wrong)
      << "nothing says that it is slower than the baseline";
  Job J = timed("fast");
  J.Timing->Rivals = {{"one", problem(Files.cubin(), "fickle")}};
  R = run("FAKE_CUDA_FICKLE=6", J)[0];
  EXPECT_EQ(R.Status, ResultStatus::Wrong);
  EXPECT_EQ(R.Culprit, "one");
  expectNoTimes(R);
}

TEST_F(RunnerInnocent, AFailureWhileTimingSpoilsNoLaterJob) {
  std::vector<Result> R = run("FAKE_CUDA_LATE=6", {timed("late_input"), timed("fast")});
  EXPECT_EQ(R[0].Status, ResultStatus::Wrong);
  EXPECT_EQ(R[1].Status, ResultStatus::Ok) << R[1].Message;
}

/// The parts of a runner, in this process: what it keeps can be spoiled here.
class KeptByTheRunner : public RunnerInnocent {
protected:
  void SetUp() override {
    Expected<std::unique_ptr<Gpu>> Opened = Gpu::open(GPUPRUNE_FAKE_CUDA, 0);
    ASSERT_TRUE(bool(Opened)) << toString(Opened.takeError());
    G = std::move(*Opened);
    Kernels.emplace(*G);
    Modules.emplace(*G, "");
    Buffers.emplace(*G, *Kernels, [](StringRef Path) { return Path.str(); });
    Check.emplace(*G, *Modules, *Kernels, 1 << 20);
  }
  template <typename T> T valueOf(Expected<T> E) {
    if (!E)
      ADD_FAILURE() << toString(E.takeError());
    return std::move(*E);
  }
  CheckOutcome check(const Problem &P) {
    BufferSet Set = valueOf(Buffers->acquire(P));
    LoadedProgram Candidate = valueOf(LoadedProgram::load(*G, *Modules, P.Candidate, Set));
    return valueOf(Check->check(P, {}, Set, Candidate, Checker::InputLook::Now)).Outcome;
  }
  /// Changes a byte of what is kept, on whichever side it lies.
  void spoil(KeptOutput &Output) {
    ++*KeptBytes::of(Output);
    G->noteLaunch();
  }

  std::unique_ptr<Gpu> G;
  std::optional<DeviceKernels> Kernels;
  std::optional<ModuleCache> Modules;
  std::optional<BufferPool> Buffers;
  std::optional<Checker> Check;
};

TEST_F(KeptByTheRunner, SmallTolerancesAreToldApart) {
  Problem P = problem(Files.cubin(), "other");
  auto KeyWith = [&](double Relative, std::optional<double> Absolute) {
    return ReferenceStore::settingOf(P, {CompareMode::Tolerance, Relative, Absolute});
  };
  EXPECT_NE(KeyWith(1e-3, std::nullopt), KeyWith(1e-9, std::nullopt));
  EXPECT_NE(KeyWith(1e-3, 1e-4), KeyWith(1e-3, 1e-5));
  EXPECT_EQ(KeyWith(1e-3, 1e-4), KeyWith(1e-3, 1e-4));
}

TEST_F(KeptByTheRunner, AReferenceThatWasWrittenOverIsMadeAnew) {
  Problem P = problem(Files.cubin(), "other");
  EXPECT_EQ(check(P), CheckOutcome::Bitwise);
  BufferSet Set = valueOf(Buffers->acquire(P));
  LoadedProgram Reference = valueOf(LoadedProgram::load(*G, *Modules, *P.Reference, Set));
  std::string Key = ReferenceStore::keyOf(Reference, ReferenceStore::settingOf(P, {}));
  auto Kept = [&] { return valueOf(Check->references().get(Key, Reference, Set, {})); };
  for (bool OnHost : {false, true}) {
    const ReferenceSet *First = Kept().get();
    EXPECT_EQ(Kept().get(), First) << "it is kept";
    EXPECT_EQ(First->isOnDevice(), Kernels->areLoaded());
    if (OnHost) {
      std::shared_ptr<ReferenceSet> InUse = Kept();
      EXPECT_FALSE(Check->references().moveOneToHost()) << "not while it is in use";
      InUse.reset();
      EXPECT_EQ(Check->references().moveOneToHost(), Kernels->areLoaded());
    }
    EXPECT_EQ(Kept().get(), First) << "where it lies makes no difference";
    EXPECT_TRUE(valueOf(First->isIntact()));
    EXPECT_EQ(check(P), CheckOutcome::Bitwise);
    std::shared_ptr<ReferenceSet> Spoiled = Kept();
    spoil(*Spoiled->Outputs[1]);
    EXPECT_FALSE(valueOf(Spoiled->isIntact()));
    EXPECT_EQ(check(P), CheckOutcome::Bitwise);
    EXPECT_NE(Kept(), Spoiled);
    spoil(*Kept()->Outputs[1]);
    Problem Wrong = P;
    Wrong.Candidate = program(Files.cubin(), "wrong");
    EXPECT_EQ(check(Wrong), CheckOutcome::Wrong);
  }
}

TEST_F(KeptByTheRunner, WhatWasSpoiledIsNotMovedToTheHost) {
  if (!Kernels->areLoaded())
    GTEST_SKIP() << "all is on the host";
  Problem P = problem(Files.cubin(), "other");
  EXPECT_EQ(check(P), CheckOutcome::Bitwise);
  BufferSet Set = valueOf(Buffers->acquire(P));
  LoadedProgram Reference = valueOf(LoadedProgram::load(*G, *Modules, *P.Reference, Set));
  std::string Key = ReferenceStore::keyOf(Reference, ReferenceStore::settingOf(P, {}));
  auto Kept = [&] { return valueOf(Check->references().get(Key, Reference, Set, {})); };
  std::shared_ptr<ReferenceSet> First = Kept();
  spoil(*First->Outputs[1]);
  EXPECT_TRUE(bool(First->moveToHost())) << "nobody knows what it was";
  std::weak_ptr<ReferenceSet> Dropped = First;
  First.reset();
  EXPECT_TRUE(Check->references().moveOneToHost());
  EXPECT_TRUE(Dropped.expired());
  EXPECT_EQ(Check->references().bytesOnHost(), 0u);
  EXPECT_EQ(check(P), CheckOutcome::Bitwise);
}

} // namespace
