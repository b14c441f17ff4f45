//===- CpuCheckTest.cpp - The correctness gate on the CPU -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Check/CpuCheck.h"
#include "ExpectedTesting.h"
#include "gpuprune/Check/CheckQueue.h"
#include "gpuprune/Driver/MeasurePlan.h"
#include "gpuprune/Runtime/Compare.h"
#include "gpuprune/Runtime/Fill.h"
#include "gpuprune/Variant/HostProblem.h"
#include "gpuprune/Variant/ProtocolBuffers.h"

using namespace llvm;
using namespace gpuprune;
using test::valueOf;

namespace {

Workload checkedWorkload() {
  return valueOf(loadWorkload(GPUPRUNE_SOURCE_DIR "/test/unit/Check/Inputs/checked"));
}

/// Variants of Inputs/checked, whose modes are mistakes, against its mode 0.
class CpuCheckTest : public testing::Test {
protected:
  explicit CpuCheckTest(std::vector<std::string> Flags = {})
      : Target{checkedWorkload(), valueOf(findDevice("sm_90")), {}} {
    initializeCodeGen();
    Target.Tools.Clang = valueOf(findClang());
    Target.Flags = std::move(Flags);
    Builder.keepFinalBitcode(true);
    compile(Reference);
  }

  void compile(BuiltVariant &V) {
    EXPECT_FALSE(errorToBool(Builder.runFrontends(V, 1)));
    Builder.compile(V);
    EXPECT_TRUE(V.alive()) << V.Row.Message;
  }

  VariantResult check(StringRef Text, CheckDepth Depth = CheckDepth::All) {
    BuiltVariant V(valueOf(parseVariant(Text)));
    compile(V);
    VariantResult Row = V.Row;
    Check.check(V, Reference, Depth, Row);
    return Row;
  }

  /// What is said of a variant that is not right.
  void expectWrong(StringRef Text, VariantStatus Status, StringRef Said) {
    VariantResult Row = check(Text);
    EXPECT_EQ(Row.Status, Status) << Text.str();
    EXPECT_EQ(Row.OnCpu.Outcome, CheckOutcome::Wrong) << Text.str();
    EXPECT_NE(Row.Message.find(Said), std::string::npos) << Row.Message;
  }

  TuningTarget Target;
  VariantBuilder Builder{Target};
  BuiltVariant Reference{Variant()};
  CpuCheck Check{Target.W, Builder,
                 CheckStandards{[this] { return &Reference; }, [](const BuiltVariant &) { return nullptr; }}};
};

using Names = std::vector<std::string>;

TEST_F(CpuCheckTest, WhatIsRightIsBitwiseAtEachOfItsSizes) {
  VariantResult Row = check("gpu-registers<max=64>");
  EXPECT_EQ(Row.Status, VariantStatus::Ok) << Row.Message;
  EXPECT_EQ(Row.OnCpu.Outcome, CheckOutcome::Bitwise);
  EXPECT_EQ(Row.OnCpu.Sizes, (Names{"n=64", "n=192"})) << "the smallest first";
  EXPECT_EQ(Row.OnCpu.Note, "");
  EXPECT_EQ(check("", CheckDepth::Smallest).OnCpu.Sizes, (Names{"n=64", "n=192"})) << "known: the same code";
}

TEST_F(CpuCheckTest, OnlySizesWhoseGridTheVariantDivides) {
  EXPECT_EQ(check("gpu-block-coarsen<x=3>").OnCpu.Sizes, Names{"n=192"});
  VariantResult None = check("gpu-block-coarsen<x=2>");
  EXPECT_EQ(None.Status, VariantStatus::Ok);
  EXPECT_EQ(None.OnCpu.Outcome, CheckOutcome::Skipped);
  EXPECT_EQ(None.OnCpu.Note, "no check size that the variant can be launched at");
}

TEST_F(CpuCheckTest, TheSmallestSizeFirstAndTheOthersWhenAskedFor) {
  BuiltVariant V(valueOf(parseVariant("gpu-registers<max=32>")));
  compile(V);
  VariantResult Row = V.Row;
  Check.check(V, Reference, CheckDepth::Smallest, Row);
  EXPECT_EQ(Row.OnCpu.Sizes, Names{"n=64"});
  Check.check(V, Reference, CheckDepth::Usual, Row);
  EXPECT_EQ(Row.OnCpu.Sizes, (Names{"n=64", "n=192"}));
}

TEST_F(CpuCheckTest, EveryMistakeIsFoundAndSaid) {
  expectWrong("-DMODE=1", VariantStatus::Wrong, "on the CPU at n=64: buffer out, value at 5: expected ");
  expectWrong("-DMODE=2", VariantStatus::Fault, "on the CPU at n=64: ");
  expectWrong("-DMODE=3", VariantStatus::Wrong, "buffer in, input at 0");
  expectWrong("-DMODE=4", VariantStatus::Wrong, "buffer out, value at 0");
  expectWrong("-DMODE=6", VariantStatus::Wrong, "buffer out, missing at 7");
  expectWrong("-DMODE=7", VariantStatus::Wrong, "buffer out, extra at 64");
}

/// Against the prepared kernel with its own defines, which equals it.
class CpuCheckOwnReference : public CpuCheckTest {
protected:
  VariantResult checkAlone(StringRef Text) {
    BuiltVariant V(valueOf(parseVariant(Text))), Own(valueOf(parseVariant(Text)));
    Own.Row.Parts.Block.reset();
    compile(Own);
    compile(V);
    VariantResult Row = V.Row;
    Check.check(V, Own, CheckDepth::All, Row);
    return Row;
  }
};

TEST_F(CpuCheckOwnReference, AnotherChoiceIsHeldAgainstTheAuthorsLaunch) {
  VariantResult Wrong = checkAlone("-DMODE=1");
  EXPECT_EQ(Wrong.Status, VariantStatus::Wrong);
  EXPECT_EQ(Wrong.OnCpu.Launch, CheckOutcome::Wrong);
  EXPECT_NE(
      Wrong.Message.find("with -DMODE=1 the kernel computes another result than at the author's launch: "
                         "buffer out, value at 5"),
      std::string::npos)
      << Wrong.Message;
  EXPECT_EQ(checkAlone("-DMODE=4").Status, VariantStatus::Wrong)
      << "within the tolerance, and nothing is open";
  EXPECT_EQ(checkAlone("-DMODE=7").Status, VariantStatus::Wrong) << "an element more";
  EXPECT_EQ(checkAlone("-DMODE=6").Status, VariantStatus::Wrong) << "an element less";
}

TEST_F(CpuCheckOwnReference, AChoiceThatFailsByItselfFailsAllItsVariants) {
  VariantResult Fault = checkAlone("-DMODE=2");
  EXPECT_EQ(Fault.Status, VariantStatus::Fault);
  EXPECT_NE(Fault.Message.find("with -DMODE=2 the kernel fails without any pass"), std::string::npos)
      << Fault.Message;
  EXPECT_EQ(checkAlone("-DMODE=3").Status, VariantStatus::Wrong);
}

TEST_F(CpuCheckOwnReference, ABlockOfItsOwnIsComparedBitByBit) {
  VariantResult Row = checkAlone("block=32");
  EXPECT_EQ(Row.Status, VariantStatus::Ok) << Row.Message;
  EXPECT_EQ(Row.OnCpu.Outcome, CheckOutcome::Bitwise);
  EXPECT_EQ(Row.OnCpu.Launch, CheckOutcome::Bitwise);
}

TEST_F(CpuCheckTest, TheAuthorsLaunchPasses) {
  EXPECT_TRUE(test::valueOf(Check.checkAuthor(CheckDepth::All)).empty());
}

TEST_F(CpuCheckTest, WhatTheCpuCannotRunIsNoFailure) {
  VariantResult Row = check("-DMODE=5");
  EXPECT_EQ(Row.Status, VariantStatus::Ok);
  EXPECT_EQ(Row.OnCpu.Outcome, CheckOutcome::Skipped);
  EXPECT_NE(Row.OnCpu.Note.find("no.such.instruction"), std::string::npos) << Row.OnCpu.Note;
}

/// The same of a queue.
class CheckQueueTest : public CpuCheckTest {
protected:
  BuiltVariant compiled(StringRef Text) {
    BuiltVariant V(valueOf(parseVariant(Text)));
    compile(V);
    return V;
  }
  CheckQueue::CheckFunction RunCheck = [this](const BuiltVariant &V, const BuiltVariant &Reference,
                                              CheckDepth Depth,
                                              VariantResult &Row) { Check.check(V, Reference, Depth, Row); };
  void add(CheckQueue &Queue, size_t Row, const BuiltVariant &V, CheckDepth Depth = CheckDepth::All) {
    Queue.add(Row, V, Reference, Depth, V.Row);
  }
};

TEST_F(CheckQueueTest, EachRowIsToldItsOwn) {
  BuiltVariant Right = compiled("gpu-registers<max=64>"), Wrong = compiled("-DMODE=1");
  std::vector<std::pair<size_t, size_t>> Steps;
  for (bool Behind : {false, true}) {
    Steps.clear();
    CheckQueue Queue(RunCheck, /*Jobs=*/2, Behind,
                     [&](size_t Done, size_t Added) { Steps.emplace_back(Done, Added); });
    add(Queue, 7, Right);
    add(Queue, 3, Wrong);
    const VariantResult *First = Queue.await(7), *Second = Queue.await(3);
    ASSERT_TRUE(First && Second);
    EXPECT_EQ(First->OnCpu.Outcome, CheckOutcome::Bitwise);
    EXPECT_EQ(Second->Status, VariantStatus::Wrong);
    EXPECT_FALSE(Queue.has(5));
    EXPECT_EQ(Queue.await(5), nullptr);
    EXPECT_GT(Queue.takeCpuMs(), 0);
    EXPECT_EQ(Queue.takeCpuMs(), 0);
  }
  ASSERT_EQ(Steps.size(), 2u);
  EXPECT_EQ(Steps.back(), std::pair(size_t(2), size_t(2)));
}

TEST_F(CheckQueueTest, ARowMayComeAgain) {
  BuiltVariant V = compiled("gpu-registers<max=32>");
  CheckQueue Queue(RunCheck, 1, /*Behind=*/false, nullptr);
  add(Queue, 0, V, CheckDepth::Smallest);
  EXPECT_EQ(Queue.await(0)->OnCpu.Sizes, Names{"n=64"});
  add(Queue, 0, V);
  EXPECT_EQ(Queue.await(0)->OnCpu.Sizes, (Names{"n=64", "n=192"}));
}

TEST_F(CheckQueueTest, WhatIsWantedNowComesBeforeTheRest) {
  BuiltVariant V = compiled("gpu-registers<max=32>");
  constexpr size_t Many = 300;
  CheckQueue Queue(RunCheck, 1, /*Behind=*/false, nullptr);
  for (size_t Row = 0; Row != Many; ++Row)
    Queue.add(Row, V, Reference, CheckDepth::Smallest, V.Row, CheckTurn::Later);
  add(Queue, Many, V);
  add(Queue, Many - 1, V); // It waits already.
  EXPECT_EQ(Queue.awaitFirst({Many - 2, Many, Many - 1}), 1u);
  EXPECT_EQ(Queue.await(Many - 1)->OnCpu.Sizes, (Names{"n=64", "n=192"})) << "the greater depth";
  EXPECT_FALSE(Queue.isSettled(Many - 2));
  EXPECT_TRUE(Queue.isSettled(Many + 1)) << "never asked for";
  EXPECT_EQ(Queue.awaitFirst({}), std::nullopt);
  EXPECT_EQ(Queue.awaitFirst({Many - 2}, CheckQueue::Clock::now()), std::nullopt);
  Queue.drop();
  EXPECT_EQ(Queue.awaitFirst({Many - 2}), 0u) << "dropped is settled";
}

TEST_F(CheckQueueTest, WhatIsDroppedIsNotRight) {
  BuiltVariant V = compiled("gpu-registers<max=32>");
  CheckQueue Queue(RunCheck, 1, /*Behind=*/false, nullptr);
  constexpr size_t Many = 300; // The first takes longer than to add the others.
  for (size_t Row = 0; Row != Many; ++Row)
    add(Queue, Row, V);
  Queue.drop();
  EXPECT_EQ(Queue.await(Many - 1), nullptr);
  EXPECT_TRUE(Queue.has(Many - 1));
  add(Queue, Many - 1, V);
  EXPECT_NE(Queue.await(Many - 1), nullptr) << "what comes later is checked";
}

TEST_F(CpuCheckTest, TellsWhatThePreparedKernelLeaves) {
  std::vector<CpuOutputs> All = Check.outputsOf(Reference, CheckDepth::All);
  ASSERT_EQ(All.size(), 2u);
  EXPECT_EQ(All[0].Size, "n=64");
  EXPECT_EQ(All[0].Failure, "");
  EXPECT_FALSE(All[0].Freedom.betweenMachines());
  ASSERT_EQ(All[0].Buffers.size(), 2u) << "out and inout";
  const CpuOutputs::Buffer &Out = All[0].Buffers[0], &Sum = All[0].Buffers[1];
  EXPECT_EQ(Out.Name, "out");
  EXPECT_EQ(Out.Index, 2u);
  ASSERT_EQ(Out.Bytes.size(), 65u * 4);
  for (uint8_t Byte : Out.Bytes.take_back(4))
    EXPECT_EQ(Byte, FillPatterns[0]) << "what nobody writes";
  float Factors[2], First;
  std::memcpy(&First, Sum.Bytes.data(), 4);
  ResolvedProblem Shape = valueOf(resolve(Target.W, Target.W.TuneSize));
  std::vector<uint8_t> Filled(8);
  ASSERT_FALSE(errorToBool(fillBuffer(ElementType::F32, protocolBuffers(Shape)[0].Contents, Filled)));
  std::memcpy(Factors, Filled.data(), 8);
  EXPECT_EQ(First, 3 + Factors[1]);
}

class CpuCheckFastMath : public CpuCheckTest {
protected:
  CpuCheckFastMath() : CpuCheckTest({"-ffast-math"}) {}
};

TEST_F(CpuCheckFastMath, TheToleranceHolds) {
  VariantResult Row = check("-DMODE=8");
  EXPECT_EQ(Row.Status, VariantStatus::Ok) << Row.Message;
  EXPECT_EQ(Row.OnCpu.Outcome, CheckOutcome::Tolerance);
  expectWrong("-DMODE=1", VariantStatus::Wrong, "buffer out, value at 5");
  expectWrong("-DMODE=4", VariantStatus::Wrong, "over inputs of three significant bits");
  EXPECT_TRUE(Check.outputsOf(Reference, CheckDepth::Smallest)[0].Freedom.betweenMachines());
}

//===----------------------------------------------------------------------===//
// HostProblem
//===----------------------------------------------------------------------===//

class HostProblemTest : public CpuCheckTest {
protected:
  HostProblem Problem = valueOf(HostProblem::create(valueOf(resolve(Target.W, Target.W.CheckSizes[1]))));
  std::unique_ptr<HostProgram> Program = valueOf(HostProgram::create(Reference.FinalBitcode));
};

TEST_F(HostProblemTest, HoldsWhatTheRunnerFills) {
  std::vector<protocol::Buffer> Shapes = protocolBuffers(valueOf(resolve(Target.W, Target.W.CheckSizes[1])));
  ASSERT_EQ(Problem.contents().size(), Shapes.size());
  for (const auto &[Shape, Contents] : zip_equal(Shapes, Problem.contents())) {
    std::vector<uint8_t> Filled(Shape.Role == BufferRole::Out ? 0 : Shape.bytes());
    if (!Filled.empty())
      EXPECT_FALSE(errorToBool(fillBuffer(Shape.Type, Shape.Contents, Filled)));
    EXPECT_EQ(Contents, Filled) << Shape.Name;
  }
}

TEST_F(HostProblemTest, OutBuffersHoldThePatternAndVariablesTheirBuffer) {
  HostBuffers Buffers = valueOf(HostBuffers::create(Problem, *Program, 0x5A));
  EXPECT_EQ(Buffers.bytes(0), std::optional(ArrayRef<uint8_t>(Problem.contents()[0]))) << "the variable";
  EXPECT_EQ(Buffers.bytes(1), std::optional(ArrayRef<uint8_t>(Problem.contents()[1])));
  std::optional<ArrayRef<uint8_t>> Out = Buffers.bytes(2);
  ASSERT_TRUE(Out);
  EXPECT_EQ(Out->size(), 65u * 4);
  EXPECT_TRUE(all_of(*Out, [](uint8_t Byte) { return Byte == 0x5A; }));
}

TEST_F(HostProblemTest, TheLaunchIsTheAuthorsOverTheseBuffers) {
  HostBuffers Buffers = valueOf(HostBuffers::create(Problem, *Program, 0x5A));
  HostLaunch Launch = Buffers.launch(Problem.launch(), asWritten(authorLaunch(Problem.launch())));
  EXPECT_EQ(Launch.Grid, (Dim3{1, 1, 1}));
  EXPECT_EQ(Launch.Block, (Dim3{64, 1, 1}));
  ASSERT_EQ(Launch.Arguments.size(), 4u);
  EXPECT_EQ(Launch.Arguments[0].size(), sizeof(char *));
  EXPECT_EQ(Launch.Arguments[3], (std::vector<char>{64, 0, 0, 0}));
  EXPECT_FALSE(valueOf(Program->launch(Launch)).Fault);
  EXPECT_NE((*Buffers.bytes(2))[0], 0x5A);
  EXPECT_EQ(valueOf(HostBuffers::create(Problem, *Program, 1)).bytes(3),
            std::optional(ArrayRef<uint8_t>(Problem.contents()[3])))
      << "inout buffers are filled anew";
}

TEST_F(HostProblemTest, AVariableThatIsTooSmallIsAnError) {
  ResolvedProblem Large = valueOf(resolve(Target.W, Target.W.CheckSizes[1]));
  Large.Buffers[0].Count = 3;
  Large.Buffers[0].Bytes = 12;
  Expected<HostBuffers> Made = HostBuffers::create(valueOf(HostProblem::create(Large)), *Program, 0);
  ASSERT_FALSE(Made);
  EXPECT_NE(test::inputErrorOf(Made.takeError())
                .find("buffer factors has 12 bytes, but the variable 'factors' only 8"),
            std::string::npos);
}

} // namespace
