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

template <typename T> DirectedRuns runs(std::vector<T> Down, std::vector<T> Up) {
  return {{bytesOf(Down)}, {bytesOf(Up)}};
}

CheckOutcome outcomeOf(const DirectedRuns &Own, const DirectedRuns &Truth,
                       ElementType Type = ElementType::F32, StringRef Reason = "a sum") {
  uint64_t Count = Truth.Up.empty() ? 1 : Truth.Up.front().size() / elementBytes(Type);
  return compareDirected({buffer(Type, Count)}, Own, Truth, {{Reason.str(), ""}},
                         &BufferFreedom::BetweenVariants)
      .Outcome;
}

TEST(MeasuredToleranceTest, WhereNothingIsRoundedNothingMayDiffer) {
  DirectedRuns Truth = runs<float>({100000, 2}, {100000, 2});
  EXPECT_EQ(outcomeOf(Truth, Truth), CheckOutcome::Skipped);
  EXPECT_EQ(outcomeOf(runs<float>({99999.75f, 2}, {99999.75f, 2}), Truth), CheckOutcome::Wrong);
  RunVerdict Found = compareDirected({buffer(ElementType::F32, 2)}, runs<float>({100000, 2.5}, {100000, 2.5}),
                                     Truth, {{"a sum", ""}}, &BufferFreedom::BetweenVariants);
  EXPECT_EQ(Found.Status, VariantStatus::Wrong);
  EXPECT_NE(Found.Message.find("buffer y, value at 1"), std::string::npos) << Found.Message;
  EXPECT_NE(Found.Message.find("two significant bits"), std::string::npos) << Found.Message;
}

TEST(MeasuredToleranceTest, RoundingExplainsEightTimesWhatItMoves) {
  float One = 1, Above = std::nextafter(1.0f, 2.0f), Step = Above - One;
  DirectedRuns Truth = runs<float>({One}, {Above});
  EXPECT_EQ(outcomeOf(runs<float>({One + 7 * Step}, {One + 7 * Step}), Truth), CheckOutcome::Skipped);
  EXPECT_EQ(outcomeOf(runs<float>({One + 9 * Step}, {One + 9 * Step}), Truth), CheckOutcome::Wrong);
  EXPECT_EQ(outcomeOf(runs<float>({One + 9 * Step}, {One + 10 * Step}), Truth), CheckOutcome::Skipped)
      << "what moves the variant counts, too";
}

TEST(MeasuredToleranceTest, NothingIsConcludedWhereNothingCanBe) {
  DirectedRuns Truth = runs<float>({1}, {1}), Wrong = runs<float>({2}, {2});
  EXPECT_EQ(outcomeOf(Wrong, Truth), CheckOutcome::Wrong);
  EXPECT_EQ(outcomeOf(Wrong, {}), CheckOutcome::Skipped) << "a run that did not end";
  EXPECT_EQ(outcomeOf({}, Truth), CheckOutcome::Skipped);
  EXPECT_EQ(outcomeOf(Wrong, Truth, ElementType::F32, ""), CheckOutcome::Skipped)
      << "not open: compared bit by bit";
  EXPECT_EQ(outcomeOf(Wrong, runs<float>({NAN}, {1})), CheckOutcome::Skipped);
  EXPECT_EQ(outcomeOf(Wrong, runs<float>({INFINITY}, {1})), CheckOutcome::Skipped);
  EXPECT_EQ(
      outcomeOf(runs<uint16_t>({0x3c00}, {0x3c00}), runs<uint16_t>({0x3c01}, {0x3c01}), ElementType::F16),
      CheckOutcome::Skipped);
  EXPECT_EQ(outcomeOf(runs<float>({-0.0f}, {0.0f}), runs<float>({0}, {0})), CheckOutcome::Skipped)
      << "a difference of equals is -0 rounding down";
}

TEST(MeasuredToleranceTest, DoublesHaveAToleranceOfTheirOwn) {
  DirectedRuns Truth = runs<double>({1}, {1});
  EXPECT_EQ(outcomeOf(runs<double>({1 + 1e-15}, {1 + 1e-15}), Truth, ElementType::F64), CheckOutcome::Wrong);
}

TEST(MeasuredToleranceTest, CoarseInputsHaveTwoMagnitudesAndKeepSignsAndZeros) {
  ResolvedProblem Shape;
  FillSpec Line;
  Line.FillKind = FillSpec::Kind::Affine;
  Line.Start = -0.75;
  Line.Step = 0.25;
  Shape.Buffers = {buffer(ElementType::F32, 7, Line, BufferRole::In)};
  Shape.Launches.resize(1);
  Shape.Launches[0].Arguments = {
      {0, ElementType::F32, 0},
      {std::nullopt, ElementType::F32, encodeReal(ElementType::F32, 0.1)},
      {std::nullopt, ElementType::F64, encodeReal(ElementType::F64, -1.5)},
      {std::nullopt, ElementType::I32, 7},
  };
  HostProblem Coarse = withCoarseInputs(valueOf(HostProblem::create(Shape)));
  EXPECT_EQ(valuesOf<float>(Coarse.contents()[0]), (std::vector<float>{-.75, -.75, -.25, 0, .25, .75, .75}));
  ArrayRef<ResolvedArgument> Arguments = Coarse.launch().Arguments;
  EXPECT_EQ(toDouble(ElementType::F32, Arguments[1].Bits), 0.09375);
  EXPECT_EQ(toDouble(ElementType::F64, Arguments[2].Bits), -1.5);
  EXPECT_EQ(Arguments[3].Bits, 7u);
}

} // namespace
