//===- CompareTest.cpp - Output comparison --------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Runtime/Compare.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <limits>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::protocol;

namespace {

std::vector<uint8_t> bytesOf(const std::vector<float> &Values) {
  std::vector<uint8_t> Bytes(Values.size() * sizeof(float));
  std::memcpy(Bytes.data(), Values.data(), Bytes.size());
  return Bytes;
}

uint64_t bits(double Value) { return encodeReal(ElementType::F32, Value); }

bool within(double Expected, double Got, double Relative, double Absolute) {
  return withinTolerance(ElementType::F32, bits(Expected), bits(Got),
                         {CompareMode::Tolerance, Relative, Absolute});
}

TEST(Tolerance, IsRelativeToTheReferencesMagnitude) {
  EXPECT_TRUE(within(100, 100.5, 0.01, 0));
  EXPECT_FALSE(within(100, 102, 0.01, 0));
  EXPECT_TRUE(within(-100, -100.5, 0.01, 0));
  EXPECT_FALSE(within(-100, -102, 0.01, 0)) << "a negative reference does not excuse any error";
  EXPECT_FALSE(within(-100, 100, 0.01, 0));
  EXPECT_TRUE(within(0, 1e-7, 0, 1e-6));
  EXPECT_FALSE(within(0, 1e-5, 1, 1e-6));
}

TEST(Tolerance, NanAndInfinityPassOnlyForThemselves) {
  EXPECT_TRUE(within(NAN, NAN, 0, 0));
  EXPECT_TRUE(withinTolerance(ElementType::F32, 0x7FC00000, 0xFFC00001, {CompareMode::Tolerance, 0, 0}));
  EXPECT_FALSE(within(1, NAN, 1e9, 1e9));
  EXPECT_FALSE(within(NAN, 1, 1e9, 1e9));
  EXPECT_TRUE(within(INFINITY, INFINITY, 0, 0));
  EXPECT_FALSE(within(INFINITY, 1, 1, 1)) << "infinity times a tolerance is no tolerance";
  EXPECT_FALSE(within(1, INFINITY, 1, 1));
  EXPECT_FALSE(within(INFINITY, -INFINITY, 1, 1));
}

TEST(Tolerance, IntegersAreExactBeyondDoubles) {
  uint64_t Large = (uint64_t(1) << 62) + 1;
  EXPECT_FALSE(withinTolerance(ElementType::I64, Large, Large + 1, {CompareMode::Tolerance, 0, 0}));
  EXPECT_TRUE(withinTolerance(ElementType::I64, Large, Large + 1, {CompareMode::Tolerance, 0, 1}));
  EXPECT_TRUE(withinTolerance(ElementType::I8, 0xFF, 0x01, {CompareMode::Tolerance, 0, 2})) << "-1 and 1";
  EXPECT_FALSE(withinTolerance(ElementType::U8, 0xFF, 0x01, {CompareMode::Tolerance, 0, 2}));
}

CheckOutcome compare(const std::vector<float> &Expected, const std::vector<float> &Got, const Comparison &By,
                     const std::vector<ByteRange> &Unwritten = {}) {
  std::vector<uint8_t> Wanted = bytesOf(Expected);
  OutputComparer Comparer(ElementType::F32, By, Wanted, Unwritten, FillPatterns[0]);
  Comparer.feed(bytesOf(Got));
  return Comparer.verdict().Outcome;
}

TEST(Tolerance, WithoutAnAbsoluteOneIsMeasuredByTheBuffer) {
  Comparison By{CompareMode::Tolerance, 0.01};
  EXPECT_EQ(compare({100, 0.5, -300}, {100, -0.5, -300}, By), CheckOutcome::Tolerance)
      << "terms of a hundred leave a half of each other, give or take one";
  EXPECT_EQ(compare({100, 0.5, -300}, {100, -1.5, -300}, By), CheckOutcome::Wrong);
  EXPECT_EQ(compare({1e-9f, 2e-9f}, {1e-9f, 0}, By), CheckOutcome::Wrong) << "however small they are";
  EXPECT_EQ(compare({1, INFINITY, NAN, 1}, {1, INFINITY, NAN, 1.1f}, By), CheckOutcome::Wrong)
      << "infinity and NaN are no magnitude";
  EXPECT_EQ(compare({1e30f, 1}, {1e30f, 1.1f}, By, {{0, 4}}), CheckOutcome::Wrong)
      << "nor is what nobody writes";
  By.Absolute = 0;
  EXPECT_EQ(compare({100, 0.5, -300}, {100, -0.5, -300}, By), CheckOutcome::Wrong);
  Difference Found = compareWithExpected(ElementType::F32, {CompareMode::Tolerance, 0.01},
                                         bytesOf({100, 0.5, -300}), bytesOf({100, -0.5, -310}));
  EXPECT_EQ(Found.Elements, 2u);
  EXPECT_EQ(Found.Outside, 1u);
}

TEST(Tolerance, IsNotMeasuredByFewLargeValues) {
  Comparison By{CompareMode::Tolerance, 0.01};
  constexpr float Largest = std::numeric_limits<float>::max();
  for (float None : {1e30f, Largest, -Largest}) {
    EXPECT_EQ(compare({None, 1, 2, None, 3}, {None, 1, 2, None, 3.08f}, By), CheckOutcome::Wrong) << None;
    EXPECT_EQ(compare({None, 1, 2, None, 3}, {None, 1, 2, None, 3.05f}, By), CheckOutcome::Tolerance) << None;
    EXPECT_EQ(compare({None, 1}, {None, 1.03f}, By), CheckOutcome::Wrong) << "the lesser of two";
    EXPECT_EQ(compare({None}, {0}, By), CheckOutcome::Wrong) << "alone";
  }
}

TEST(Tolerance, IsNotMeasuredByZeros) {
  Comparison By{CompareMode::Tolerance, 0.01};
  EXPECT_EQ(compare({0, 0, 0, -0.0f, 100}, {0, 0.9f, 0, 0, 100}, By), CheckOutcome::Tolerance);
  EXPECT_EQ(compare({0, 0, 0, -0.0f, 100}, {0, 1.1f, 0, 0, 100}, By), CheckOutcome::Wrong);
  EXPECT_EQ(compare({0, 0, NAN, INFINITY}, {0, 1e-45f, NAN, INFINITY}, By), CheckOutcome::Wrong)
      << "nothing to measure by";
}

TEST(Tolerance, OfHalfPrecisionIsAStepAtLeast) {
  auto Outcome = [](ElementType Type, uint16_t Expected, uint16_t Got) {
    std::vector<uint8_t> Wanted = {uint8_t(Expected), uint8_t(Expected >> 8)};
    OutputComparer Comparer(Type, {CompareMode::Tolerance, 1e-5}, Wanted, {}, FillPatterns[0]);
    Comparer.feed({uint8_t(Got), uint8_t(Got >> 8)});
    return Comparer.verdict().Outcome;
  };
  EXPECT_EQ(Outcome(ElementType::F16, 0xbd2f, 0xbd2e), CheckOutcome::Tolerance);
  EXPECT_EQ(Outcome(ElementType::F16, 0xbd2f, 0xbd2c), CheckOutcome::Wrong);
  EXPECT_EQ(Outcome(ElementType::BF16, 0x3f81, 0x3f80), CheckOutcome::Tolerance);
  EXPECT_EQ(Outcome(ElementType::BF16, 0x3f83, 0x3f80), CheckOutcome::Wrong);
}

TEST(Tolerance, OfIntegersIsRelativeAlone) {
  std::vector<uint8_t> Wanted = {100, 0, 0, 0, 1, 0, 0, 0}, Got = {100, 0, 0, 0, 2, 0, 0, 0};
  OutputComparer Comparer(ElementType::I32, {CompareMode::Tolerance, 0.1}, Wanted, {}, FillPatterns[0]);
  Comparer.feed(Got);
  EXPECT_EQ(Comparer.verdict().Outcome, CheckOutcome::Wrong);
}

TEST(Reference, ElementsNobodyWritesAreFound) {
  std::vector<float> First = {1, 2, 3, 4, 5}, Second = First;
  for (size_t I : {1, 2, 4}) {
    std::memset(&First[I], FillPatterns[0], sizeof(float));
    std::memset(&Second[I], FillPatterns[1], sizeof(float));
  }
  std::optional<uint64_t> Unstable;
  ReferenceOutput R = joinReferenceRuns(ElementType::F32, bytesOf(First), bytesOf(Second), Unstable);
  EXPECT_EQ(R.Unwritten, (std::vector<ByteRange>{{4, 12}, {16, 20}}));
  EXPECT_FALSE(Unstable);
}

TEST(Reference, AWrittenValueThatLooksLikeAPatternIsWritten) {
  std::vector<float> Values = {1, 2};
  std::memset(&Values[1], FillPatterns[0], sizeof(float));
  std::optional<uint64_t> Unstable;
  ReferenceOutput R = joinReferenceRuns(ElementType::F32, bytesOf(Values), bytesOf(Values), Unstable);
  EXPECT_TRUE(R.Unwritten.empty());
}

TEST(Reference, DifferencesBetweenRunsAreFound) {
  std::optional<uint64_t> Unstable;
  joinReferenceRuns(ElementType::F32, bytesOf({1, 2, 3}), bytesOf({1, 2.5, 4}), Unstable);
  EXPECT_EQ(Unstable, 1u);
}

TEST(Difference, SaysHowManyAndHowFar) {
  auto Between = [](const std::vector<float> &Expected, const std::vector<float> &Got) {
    return compareWithExpected(ElementType::F32, {CompareMode::Tolerance, 0.01, 0}, bytesOf(Expected),
                               bytesOf(Got));
  };
  EXPECT_EQ(Between({1, NAN, 3}, {1, NAN, 3}), Difference());
  Difference Close = Between({1, 2, -4, 0}, {1, 2.0078125f, -4.015625f, -0.0f});
  EXPECT_EQ(Close.Elements, 3u) << "a zero of another sign, too";
  EXPECT_EQ(Close.Outside, 0u);
  EXPECT_EQ(Close.MaxAbsolute, 0.015625);
  EXPECT_EQ(Close.MaxRelative, 0.00390625);
  EXPECT_EQ(Close.Index, 1u);
  Difference Far = Between({1, 2, 8, 0}, {1, 2.0078125f, 16, 0.5f});
  EXPECT_EQ(Far.Elements, 3u);
  EXPECT_EQ(Far.Outside, 2u);
  EXPECT_EQ(Far.Index, 2u) << "the first beyond the tolerance";
  EXPECT_EQ(Far.MaxAbsolute, 8);
  EXPECT_EQ(Far.MaxRelative, 1) << "not by 0";
  Difference Lost = Between({1, INFINITY, 1}, {NAN, 1, -INFINITY});
  EXPECT_EQ(Lost.Outside, 3u);
  EXPECT_EQ(Lost.MaxAbsolute, 0);
}

TEST(Difference, OfTwoRunsLeavesOutWhatNeitherWrites) {
  ReferenceOutput First{bytesOf({1, 2, 3, 4, 5}), {{0, 4}, {8, 12}}};
  Difference D = compareReferenceRuns(ElementType::F32, {CompareMode::Tolerance, 0.5, 0}, First,
                                      bytesOf({9, 2, 9, 5, 50}));
  EXPECT_EQ(D.Elements, 2u);
  EXPECT_EQ(D.Outside, 1u);
  EXPECT_EQ(D.Index, 4u);
}

TEST(Written, TheFirstElementThatOnlyOneProgramWrites) {
  auto Between = [](std::vector<ByteRange> Expected, std::vector<ByteRange> Got) {
    std::vector<uint8_t> Bytes = bytesOf({1, 2, 3, 4, 5});
    std::optional<Mismatch> M =
        compareWritten(ElementType::F32, {Bytes, std::move(Expected)}, {Bytes, std::move(Got)});
    return M ? mismatchKindName(M->Kind).str() + " " + std::to_string(M->Index) : "";
  };
  EXPECT_EQ(Between({}, {}), "");
  EXPECT_EQ(Between({{4, 8}}, {{4, 8}}), "");
  EXPECT_EQ(Between({{4, 8}}, {}), "extra 1");
  EXPECT_EQ(Between({}, {{4, 8}}), "missing 1");
  EXPECT_EQ(Between({{0, 4}, {8, 12}}, {{0, 4}, {8, 20}}), "missing 3");
  EXPECT_EQ(Between({{0, 4}, {8, 20}}, {{0, 4}, {8, 12}}), "extra 3");
  EXPECT_EQ(Between({{0, 8}}, {{4, 8}}), "extra 0");
  EXPECT_EQ(Between({{16, 20}}, {{4, 8}, {16, 20}}), "missing 1");
}

TEST(Comparer, ChunksMayCutAnywhereBetweenElements) {
  std::vector<float> Wanted(100, 1.0f), Got = Wanted;
  std::vector<ByteRange> Unwritten = {{40, 80}, {360, 400}};
  for (size_t I = 0; I != 100; ++I)
    if ((I >= 10 && I < 20) || I >= 90)
      std::memset(&Got[I], FillPatterns[1], sizeof(float));
  std::vector<uint8_t> Expected = bytesOf(Wanted), Bytes = bytesOf(Got);
  for (size_t Step : {4, 12, 52, 400}) {
    OutputComparer C(ElementType::F32, {}, Expected, Unwritten, FillPatterns[1]);
    for (size_t At = 0; At < Bytes.size(); At += Step)
      C.feed(ArrayRef(Bytes).slice(At, std::min(Step, Bytes.size() - At)));
    EXPECT_EQ(C.verdict().Outcome, CheckOutcome::Bitwise) << Step;
  }
}

TEST(Comparer, ALargeChunkIsComparedInPieces) {
  std::vector<uint8_t> Wanted((size_t(5) << 20) + 12, 7);
  for (size_t Differing : {size_t(0), Wanted.size() / 2, Wanted.size() - 1}) {
    std::vector<uint8_t> Got = Wanted;
    OutputComparer Same(ElementType::U32, {}, Wanted, {}, FillPatterns[0]);
    Same.feed(Got);
    EXPECT_EQ(Same.verdict().Outcome, CheckOutcome::Bitwise);
    ++Got[Differing];
    OutputComparer C(ElementType::U32, {}, Wanted, {}, FillPatterns[0]);
    C.feed(Got);
    EXPECT_EQ(C.verdict().Outcome, CheckOutcome::Wrong);
    EXPECT_EQ(C.verdict().First.Index, Differing / 4);
    EXPECT_EQ(C.verdict().First.Differing, 1u);
  }
}

TEST(Comparer, TellsApartHowElementsDiffer) {
  std::vector<uint8_t> Expected = bytesOf({1, 2, 3, 4});
  std::vector<ByteRange> Unwritten = {{0, 4}};
  std::vector<float> Got = {0, 2, 3, 5};
  std::memset(&Got[0], FillPatterns[0], sizeof(float));
  OutputComparer Value(ElementType::F32, {}, Expected, Unwritten, FillPatterns[0]);
  Value.feed(bytesOf(Got));
  EXPECT_EQ(Value.verdict().First.Kind, MismatchKind::Value);
  EXPECT_EQ(Value.verdict().First.Index, 3u);
  EXPECT_EQ(Value.verdict().First.Expected, "4 (0x40800000)");
  EXPECT_EQ(Value.verdict().First.Got, "5 (0x40a00000)");
  EXPECT_EQ(Value.verdict().First.Pattern, "0xa5");

  Got[3] = 4;
  std::memset(&Got[1], FillPatterns[0], sizeof(float));
  OutputComparer Missing(ElementType::F32, {CompareMode::Tolerance, 1e-3, 1e-3}, Expected, Unwritten,
                         FillPatterns[0]);
  Missing.feed(bytesOf(Got));
  EXPECT_EQ(Missing.verdict().Outcome, CheckOutcome::Wrong);
  EXPECT_EQ(Missing.verdict().First.Kind, MismatchKind::Missing);

  Got = {7, 2, 3, 4};
  OutputComparer Extra(ElementType::F32, {}, Expected, Unwritten, FillPatterns[0]);
  Extra.feed(bytesOf(Got));
  EXPECT_EQ(Extra.verdict().First.Kind, MismatchKind::Extra);
  EXPECT_EQ(Extra.verdict().First.Index, 0u);
}

TEST(Comparer, BitwiseTellsSignedZerosAndNansApart) {
  std::vector<uint8_t> Expected = bytesOf({0.0f});
  OutputComparer Bitwise(ElementType::F32, {}, Expected, {}, FillPatterns[0]);
  Bitwise.feed(bytesOf({-0.0f}));
  EXPECT_EQ(Bitwise.verdict().Outcome, CheckOutcome::Wrong);
  OutputComparer ByTolerance(ElementType::F32, {CompareMode::Tolerance, 0, 0}, Expected, {}, FillPatterns[0]);
  ByTolerance.feed(bytesOf({-0.0f}));
  EXPECT_EQ(ByTolerance.verdict().Outcome, CheckOutcome::Tolerance);
}

} // namespace
