//===- MeasuredToleranceTest.cpp - How far rounding may move a result -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MeasuredTolerance.h"
#include "ExpectedTesting.h"
#include <cmath>
#include <cstring>

using namespace llvm;
using namespace gpuprune;
using test::valueOf;

namespace {

template <typename T> std::vector<uint8_t> bytesOf(std::vector<T> Values) {
  std::vector<uint8_t> Bytes(Values.size() * sizeof(T));
  std::memcpy(Bytes.data(), Values.data(), Bytes.size());
  return Bytes;
}

template <typename T> std::vector<T> valuesOf(ArrayRef<uint8_t> Bytes) {
  std::vector<T> Values(Bytes.size() / sizeof(T));
  std::memcpy(Values.data(), Bytes.data(), Bytes.size());
  return Values;
}

ResolvedBuffer buffer(ElementType Type, uint64_t Count, FillSpec Fill = {},
                      BufferRole Role = BufferRole::Out) {
  return {"y", Type, Count, Count * elementBytes(Type), Fill, Role};
}

template <typename T> DirectedRuns runs(std::vector<T> Nearest, std::vector<T> Down, std::vector<T> Up) {
  return {{bytesOf(Nearest)}, {bytesOf(Down)}, {bytesOf(Up)}};
}

/// What no operation rounds.
template <typename T> DirectedRuns exact(std::vector<T> Values) { return runs(Values, Values, Values); }

CheckOutcome outcomeOf(const DirectedRuns &Own, const DirectedRuns &Truth,
                       ElementType Type = ElementType::F32, StringRef Reason = "a sum") {
  uint64_t Count = Truth.Up.empty() ? 1 : Truth.Up.front().size() / elementBytes(Type);
  return compareDirected({buffer(Type, Count)}, Own, Truth, {{Reason.str(), ""}},
                         &BufferFreedom::BetweenVariants)
      .Outcome;
}

TEST(MeasuredToleranceTest, WhereNothingIsRoundedNothingMayDiffer) {
  DirectedRuns Truth = exact<float>({100000, 2});
  EXPECT_EQ(outcomeOf(Truth, Truth), CheckOutcome::Skipped);
  EXPECT_EQ(outcomeOf(exact<float>({99999.75f, 2}), Truth), CheckOutcome::Wrong);
  RunVerdict Found = compareDirected({buffer(ElementType::F32, 2)}, exact<float>({100000, 2.5}), Truth,
                                     {{"a sum", ""}}, &BufferFreedom::BetweenVariants);
  EXPECT_EQ(Found.Status, VariantStatus::Wrong);
  EXPECT_NE(Found.Message.find("buffer y, value at 1"), std::string::npos) << Found.Message;
  EXPECT_NE(Found.Message.find("three significant bits"), std::string::npos) << Found.Message;
}

TEST(MeasuredToleranceTest, RoundingExplainsTwiceWhatItMoves) {
  // Most elements are exact, so that the median adds nothing.
  DirectedRuns Truth = runs<float>({1, 5, 5}, {0.9375f, 5, 5}, {1.0625f, 5, 5});
  EXPECT_EQ(outcomeOf(exact<float>({1.25f, 5, 5}), Truth), CheckOutcome::Skipped);
  EXPECT_EQ(outcomeOf(exact<float>({1.375f, 5, 5}), Truth), CheckOutcome::Wrong);
  EXPECT_EQ(outcomeOf(runs<float>({1.375f, 5, 5}, {1.25f, 5, 5}, {1.375f, 5, 5}), Truth),
            CheckOutcome::Skipped)
      << "what moves the variant counts, too";
}

TEST(MeasuredToleranceTest, AnElementThatRoundingMovesFarExcusesNoOther) {
  DirectedRuns Truth = runs<float>({0, 5, 5}, {-1, 5, 5}, {1, 5, 5});
  EXPECT_EQ(outcomeOf(exact<float>({3, 5, 5}), Truth), CheckOutcome::Skipped);
  EXPECT_EQ(outcomeOf(exact<float>({0, 5, 6}), Truth), CheckOutcome::Wrong);
  EXPECT_EQ(outcomeOf(exact<float>({NAN, 5, 6}), exact<float>({NAN, 5, 5})), CheckOutcome::Wrong);
}

TEST(MeasuredToleranceTest, WhereMovesMakeUpForEachOtherTheOthersTell) {
  std::vector<float> Nearest(8, 1), Down(8, 0.75f), Up(8, 1.25f), Own(8, 1);
  Down[3] = Up[3] = 1;
  Own[3] = 1.75f;
  DirectedRuns Truth = runs(Nearest, Down, Up);
  EXPECT_EQ(outcomeOf(exact(Own), Truth), CheckOutcome::Skipped);
  Own[3] = 2.5f;
  EXPECT_EQ(outcomeOf(exact(Own), Truth), CheckOutcome::Wrong);
}

TEST(MeasuredToleranceTest, NothingIsConcludedWhereNothingCanBe) {
  DirectedRuns Truth = exact<float>({1}), Wrong = exact<float>({2});
  EXPECT_EQ(outcomeOf(Wrong, Truth), CheckOutcome::Wrong);
  EXPECT_EQ(outcomeOf(Wrong, {}), CheckOutcome::Skipped) << "a run that did not end";
  EXPECT_EQ(outcomeOf({}, Truth), CheckOutcome::Skipped);
  EXPECT_EQ(outcomeOf(Wrong, Truth, ElementType::F32, ""), CheckOutcome::Skipped)
      << "not open: compared bit by bit";
  EXPECT_EQ(outcomeOf(Wrong, exact<float>({NAN})), CheckOutcome::Skipped);
  EXPECT_EQ(outcomeOf(Wrong, runs<float>({1}, {1}, {INFINITY})), CheckOutcome::Skipped);
  EXPECT_EQ(outcomeOf(exact<uint16_t>({0x3c00}), exact<uint16_t>({0x3c01}), ElementType::F16),
            CheckOutcome::Skipped);
  EXPECT_EQ(outcomeOf(runs<float>({0}, {-0.0f}, {0.0f}), exact<float>({0})), CheckOutcome::Skipped)
      << "a difference of equals is -0 rounding down";
}

TEST(MeasuredToleranceTest, DoublesHaveAToleranceOfTheirOwn) {
  EXPECT_EQ(outcomeOf(exact<double>({1 + 1e-15}), exact<double>({1}), ElementType::F64), CheckOutcome::Wrong);
}

ResolvedProblem problemOf(ResolvedBuffer Buffer) {
  ResolvedProblem Shape;
  Shape.Buffers = {std::move(Buffer)};
  Shape.Launches.resize(1);
  return Shape;
}

FillSpec constant(double Value) {
  FillSpec Fill;
  Fill.FillKind = FillSpec::Kind::Constant;
  Fill.Low = Fill.High = Value;
  return Fill;
}

TEST(MeasuredToleranceTest, CoarseInputsStaySortedAndKeepSignsAndZeros) {
  FillSpec Line;
  Line.FillKind = FillSpec::Kind::Affine;
  Line.Start = -0.75;
  Line.Step = 0.25;
  ResolvedProblem Shape = problemOf(buffer(ElementType::F32, 7, Line, BufferRole::In));
  Shape.Launches[0].Arguments = {
      {0, ElementType::F32, 0},
      {std::nullopt, ElementType::F32, encodeReal(ElementType::F32, 0.1)},
      {std::nullopt, ElementType::F64, encodeReal(ElementType::F64, -1.5)},
      {std::nullopt, ElementType::I32, 7},
  };
  HostProblem Coarse = withCoarseInputs(valueOf(HostProblem::create(Shape)));
  EXPECT_EQ(valuesOf<float>(Coarse.contents()[0]),
            (std::vector<float>{-.875, -.875, -.875, 0, .875, .875, .875}));
  ArrayRef<ResolvedArgument> Arguments = Coarse.launch().Arguments;
  EXPECT_EQ(toDouble(ElementType::F32, Arguments[1].Bits), 0.09375);
  EXPECT_EQ(toDouble(ElementType::F64, Arguments[2].Bits), -1.5);
  EXPECT_EQ(Arguments[3].Bits, 7u);
}

TEST(MeasuredToleranceTest, NeighboursDiffer) {
  HostProblem Coarse = withCoarseInputs(
      valueOf(HostProblem::create(problemOf(buffer(ElementType::F32, 64, constant(0.6), BufferRole::In)))));
  std::vector<float> Values = valuesOf<float>(Coarse.contents()[0]);
  size_t Known = 0;
  for (float Part : {0.125f, 0.375f, 0.625f, 0.875f}) {
    size_t Count = llvm::count(Values, Part);
    EXPECT_GT(Count, 4u) << Part;
    Known += Count;
  }
  EXPECT_EQ(Known, 64u);
}

TEST(MeasuredToleranceTest, OnlyConstantInputsAreVaried) {
  auto Varied = [](ElementType Type, FillSpec Fill, BufferRole Role) {
    return withVariedConstants(valueOf(HostProblem::create(problemOf(buffer(Type, 64, Fill, Role)))));
  };
  std::optional<HostProblem> Zeros = Varied(ElementType::F32, constant(0), BufferRole::In);
  ASSERT_TRUE(Zeros);
  std::vector<float> Values = valuesOf<float>(Zeros->contents()[0]);
  EXPECT_NE(Values.front(), 0);
  EXPECT_FALSE(llvm::all_equal(Values));
  EXPECT_FALSE(Varied(ElementType::F32, constant(0), BufferRole::InOut))
      << "what is added to may have to be zero";
  FillSpec Line;
  Line.FillKind = FillSpec::Kind::Iota;
  EXPECT_FALSE(Varied(ElementType::F32, Line, BufferRole::In));
  FillSpec Zero;
  Zero.FillKind = FillSpec::Kind::Zero;
  EXPECT_FALSE(Varied(ElementType::I32, Zero, BufferRole::In)) << "an index";
}

} // namespace
