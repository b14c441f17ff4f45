//===- FillTest.cpp - Deterministic buffer contents -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Runtime/Fill.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::protocol;

namespace {

template <typename T> std::vector<T> filled(ElementType Type, const Fill &F, size_t Count) {
  std::vector<T> Values(Count);
  MutableArrayRef<uint8_t> Bytes(reinterpret_cast<uint8_t *>(Values.data()), Count * sizeof(T));
  EXPECT_FALSE(bool(fillBuffer(Type, F, Bytes)));
  return Values;
}

Fill uniform(double Low, double High, uint64_t Seed) {
  Fill F;
  F.Kind = FillKind::Uniform;
  F.Low = Low;
  F.High = High;
  F.Seed = Seed;
  return F;
}

// The first outputs of Vigna's splitmix64.c for seed 1234567.
TEST(Fill, IsSplitMix64) {
  const uint64_t Known[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                            4593380528125082431u, 16408922859458223821u};
  for (size_t I = 0; I != std::size(Known); ++I)
    EXPECT_EQ(splitMix64(1234567, I), Known[I]);
}

TEST(Fill, UniformFollowsTheDocumentedFormula) {
  std::vector<float> Values = filled<float>(ElementType::F32, uniform(-0.5, 0.5, 42), 1000);
  double Sum = 0;
  for (size_t I = 0; I != Values.size(); ++I) {
    double Unit = std::ldexp(static_cast<double>(splitMix64(42, I) >> 11), -53);
    EXPECT_EQ(Values[I], static_cast<float>(-0.5 + Unit));
    EXPECT_GE(Values[I], -0.5f);
    EXPECT_LE(Values[I], 0.5f);
    Sum += Values[I];
  }
  EXPECT_LT(std::fabs(Sum / Values.size()), 0.05);
  EXPECT_EQ(filled<float>(ElementType::F32, uniform(-0.5, 0.5, 42), 10)[9], Values[9])
      << "an element does not depend on the buffer's length";
  EXPECT_NE(filled<float>(ElementType::F32, uniform(-0.5, 0.5, 43), 1)[0], Values[0]);
}

// Pages and chunks of a buffer end anywhere in a structure, but not in a field.
TEST(Fill, PartsOfStructuresAreThoseOfTheWhole) {
  ElementLayout Type = cantFail(ElementLayout::structure(ElementLayout::FieldList{
      {"a", ElementType::F32}, {"b", ElementType::U8}, {"c", ElementType::F32}, {"d", ElementType::I64}}));
  ASSERT_EQ(Type.bytes(), 24u);
  Fill F{FillKind::Fields};
  F.Fields = {uniform(-1, 1, 7), uniform(0, 200, 8), {FillKind::Iota}, {FillKind::Constant, -3}};
  std::vector<uint8_t> All(24 * 500, 0xEE);
  ASSERT_FALSE(bool(fillBuffer(Type, F, All)));
  EXPECT_EQ(ArrayRef(All).slice(5, 3), ArrayRef<uint8_t>({0, 0, 0})) << "padding";
  std::vector<float> A = filled<float>(ElementType::F32, F.Fields[0], 500);
  for (size_t I = 0; I != A.size(); ++I)
    EXPECT_EQ(std::memcmp(&All[24 * I], &A[I], 4), 0) << I;
  for (size_t Offset = 0; Offset < 60; Offset += 8)
    for (size_t Bytes = 8; Bytes <= 3000; Bytes = Bytes < 40 ? Bytes + 8 : 2 * Bytes) {
      std::vector<uint8_t> Part(Bytes, 0xEE);
      fillPart(Type, F, Offset, Part);
      EXPECT_EQ(ArrayRef(Part), ArrayRef(All).slice(Offset, Bytes)) << Offset << " " << Bytes;
    }
  EXPECT_TRUE(errorToBool(fillBuffer(Type, F, MutableArrayRef(All).drop_back(8))));
  EXPECT_TRUE(errorToBool(validateFill(Type, {FillKind::Iota}))) << "of which field?";
  EXPECT_FALSE(errorToBool(validateFill(Type, {FillKind::Zero})));
  F.Fields[1].High = 256;
  EXPECT_NE(toString(validateFill(Type, F)).find("field b: fill: high 256 is not a value of type u8"),
            std::string::npos);
}

TEST(Fill, FilesAreTakenAsTheyAre) {
  std::string Content = "....";
  for (int I = 0; I != 64; ++I)
    Content += char('A' + I);
  Fill F{FillKind::File};
  F.Offset = 4;
  std::vector<uint8_t> Bytes(64);
  EXPECT_NE(toString(fillBuffer(ElementType::U32, F, Bytes)).find("64 bytes of elements are needed"),
            std::string::npos)
      << "it has not been read";
  F.Data = std::make_shared<const DataFile>(DataFile{"f", Content, ""});
  ASSERT_FALSE(errorToBool(fillBuffer(ElementType::U32, F, Bytes)));
  EXPECT_EQ(toStringRef(Bytes), StringRef(Content).drop_front(4));
  std::vector<uint8_t> Part(8);
  fillPart(ElementType::U32, F, 16, Part);
  EXPECT_EQ(toStringRef(Part), "QRSTUVWX");
  ElementLayout Type = cantFail(
      ElementLayout::structure(ElementLayout::FieldList{{"a", ElementType::U32}, {"b", ElementType::U8}}));
  ASSERT_FALSE(errorToBool(fillBuffer(Type, F, Bytes)));
  EXPECT_EQ(toStringRef(Bytes).take_front(16), StringRef("ABCDE\0\0\0IJKLM\0\0\0", 16)) << "padding is zero";
  fillPart(Type, F, 8, Part);
  EXPECT_EQ(toStringRef(Part), StringRef("IJKLM\0\0\0", 8));
  Bytes.resize(72);
  EXPECT_NE(
      toString(fillBuffer(Type, F, Bytes)).find("72 bytes of elements are needed, and the file  has 64"),
      std::string::npos);
  Fill OfFields{FillKind::Fields};
  OfFields.Fields = {F, {FillKind::Iota}};
  Bytes.resize(16 * 8);
  ASSERT_FALSE(errorToBool(fillBuffer(Type, OfFields, Bytes)));
  EXPECT_EQ(toStringRef(Bytes).slice(8, 13), StringRef("EFGH\1", 5)) << "one after the other in the file";
  Bytes.resize(17 * 8);
  EXPECT_TRUE(errorToBool(fillBuffer(Type, OfFields, Bytes)));
  F.Offset = 100;
  EXPECT_TRUE(errorToBool(checkStored(ElementType::U8, F, 1))) << "behind the end";
}

TEST(Fill, UniformIntegersTakeBothEnds) {
  bool Seen[5] = {};
  for (int8_t Value : filled<int8_t>(ElementType::I8, uniform(-2, 2, 1), 500)) {
    ASSERT_GE(Value, -2);
    ASSERT_LE(Value, 2);
    Seen[Value + 2] = true;
  }
  for (bool Each : Seen)
    EXPECT_TRUE(Each);
}

TEST(Fill, ConstantIotaAndZero) {
  Fill F;
  EXPECT_EQ(filled<double>(ElementType::F64, F, 2), (std::vector<double>{0, 0}));
  F.Kind = FillKind::Iota;
  EXPECT_EQ(filled<float>(ElementType::F32, F, 3), (std::vector<float>{0, 1, 2}));
  EXPECT_EQ(filled<uint8_t>(ElementType::U8, F, 258)[257], 1);
  F.Kind = FillKind::Constant;
  F.Value = -3;
  EXPECT_EQ(filled<int16_t>(ElementType::I16, F, 2), (std::vector<int16_t>{-3, -3}));
  F.Value = 1.5;
  EXPECT_EQ(filled<uint16_t>(ElementType::F16, F, 1)[0], 0x3E00);
  EXPECT_EQ(filled<uint16_t>(ElementType::BF16, F, 1)[0], 0x3FC0);
}

Fill affine(double Start, double Step, double Jitter, uint64_t Seed) {
  Fill F;
  F.Kind = FillKind::Affine;
  F.Start = Start;
  F.Step = Step;
  F.Jitter = Jitter;
  F.Seed = Seed;
  return F;
}

TEST(Fill, AffineIsALineWithoutJitter) {
  EXPECT_EQ(filled<int32_t>(ElementType::I32, affine(10, -3, 0, 1), 4), (std::vector<int32_t>{10, 7, 4, 1}));
  EXPECT_EQ(filled<float>(ElementType::F32, affine(0.5, 0.25, 0, 1), 3), (std::vector<float>{0.5, 0.75, 1}));
  EXPECT_EQ(filled<uint8_t>(ElementType::U8, affine(250, 4, 0, 1), 3), (std::vector<uint8_t>{250, 254, 2}));
}

TEST(Fill, AffineWithJitterFollowsTheDocumentedFormula) {
  std::vector<int32_t> Rows = filled<int32_t>(ElementType::I32, affine(5, 32, 32, 9), 2000);
  bool Empty = false, Long = false;
  for (size_t I = 0; I != Rows.size(); ++I) {
    uint64_t Random = (static_cast<unsigned __int128>(splitMix64(9, I)) * 33) >> 64;
    EXPECT_EQ(Rows[I], int32_t(5 + 32 * I + Random));
    if (I == 0)
      continue;
    ASSERT_GE(Rows[I], Rows[I - 1]) << "a jitter of at most the step keeps the order";
    Empty |= Rows[I] - Rows[I - 1] < 4;
    Long |= Rows[I] - Rows[I - 1] > 60;
  }
  EXPECT_TRUE(Empty && Long) << "rows differ much";
  std::vector<double> Reals = filled<double>(ElementType::F64, affine(1, 2, 0.5, 9), 3);
  for (size_t I = 0; I != Reals.size(); ++I)
    EXPECT_EQ(Reals[I], (1 + 2.0 * I) + 0.5 * std::ldexp(static_cast<double>(splitMix64(9, I) >> 11), -53));
}

TEST(Fill, AffineRefusesWhatIsNoLine) {
  auto ErrorOf = [](ElementType Type, const Fill &F) { return toString(validateFill(Type, F)); };
  EXPECT_NE(ErrorOf(ElementType::I32, affine(0, 0.5, 0, 1)).find("step 0.5 of affine"), std::string::npos);
  EXPECT_NE(ErrorOf(ElementType::I64, affine(0x1p54, 1, 0, 1)).find("2^53"), std::string::npos);
  EXPECT_NE(ErrorOf(ElementType::F32, affine(0, 1, -1, 1)).find("jitter of at least 0, not -1"),
            std::string::npos);
  EXPECT_NE(ErrorOf(ElementType::F32, affine(NAN, 1, 0, 1)).find("finite"), std::string::npos);
  EXPECT_FALSE(errorToBool(validateFill(ElementType::F32, affine(0, 0.5, 0.25, 1))));
}

Fill counted(FillKind Kind, uint64_t Count, uint64_t Seed = 5) {
  Fill F{Kind};
  F.Count = Count;
  F.Seed = Seed;
  return F;
}

TEST(Fill, APermutationHasEachIndexOnce) {
  for (size_t Count : {1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 100, 255, 256, 257, 1000, 4097, 65537}) {
    std::vector<uint32_t> Values =
        filled<uint32_t>(ElementType::U32, counted(FillKind::Permutation, Count), Count);
    if (Count >= 31) {
      EXPECT_FALSE(llvm::is_sorted(Values));
      EXPECT_NE(Values, filled<uint32_t>(ElementType::U32, counted(FillKind::Permutation, Count, 6), Count));
    }
    llvm::sort(Values);
    for (size_t I = 0; I != Count; ++I)
      ASSERT_EQ(Values[I], I) << Count;
  }
  // What is far is not near: of a random permutation two neighbours are a third of the count apart on
  // average.
  std::vector<uint32_t> Values =
      filled<uint32_t>(ElementType::U32, counted(FillKind::Permutation, 10000), 10000);
  double Apart = 0;
  for (size_t I = 1; I != Values.size(); ++I)
    Apart += std::fabs(double(Values[I]) - double(Values[I - 1])) / 9999;
  EXPECT_NEAR(Apart, 10000.0 / 3, 100);
}

TEST(Fill, AShiftIsARotatedIota) {
  Fill F = counted(FillKind::Shift, 5);
  F.By = 2;
  EXPECT_EQ(filled<int16_t>(ElementType::I16, F, 5), (std::vector<int16_t>{2, 3, 4, 0, 1}));
  EXPECT_EQ(filled<float>(ElementType::F32, F, 6), (std::vector<float>{2, 3, 4, 0, 1, 0})) << "0 behind";
  F.By = 5;
  EXPECT_NE(toString(validateFill(ElementType::I16, F)).find("a shift by 5; expected less than the count, 5"),
            std::string::npos);
}

TEST(Fill, ClusteredIndicesAreNearTheirGroup) {
  Fill F = counted(FillKind::Clustered, 50);
  F.Window = 3;
  F.Per = 4;
  std::vector<int> Values = filled<int>(ElementType::I32, F, 400);
  int Least = 0, Most = 0;
  for (int I = 0; I != 400; ++I) {
    int Middle = I / 4 % 50, Away = Values[I] - Middle;
    ASSERT_TRUE(Values[I] >= 0 && Values[I] < 50);
    ASSERT_LE(std::abs(Away), 3);
    Least = std::min(Least, Away);
    Most = std::max(Most, Away);
  }
  EXPECT_EQ(Least, -3);
  EXPECT_EQ(Most, 3);
  F.Window = 0;
  EXPECT_EQ(filled<int>(ElementType::I32, F, 400)[399], 49) << "the middle itself";
  F.Window = uint64_t(LargestExactInteger);
  EXPECT_LT(filled<int>(ElementType::I32, F, 1)[0], 50) << "anything";
  F.Per = 0;
  EXPECT_NE(toString(validateFill(ElementType::I32, F)).find("clustered with per 0"), std::string::npos);
  EXPECT_NE(toString(validateFill(ElementType::I8, counted(FillKind::Permutation, 129)))
                .find("i8 does not hold all integers from 0 to 128 exactly"),
            std::string::npos);
  EXPECT_TRUE(errorToBool(validateFill(ElementType::I32, counted(FillKind::Permutation, 0))));
  EXPECT_TRUE(errorToBool(validateFill(ElementType::BF16, counted(FillKind::Permutation, 258))));
  EXPECT_FALSE(errorToBool(validateFill(ElementType::BF16, counted(FillKind::Permutation, 257))));
}

Fill sorted(double Low, double High, uint64_t Count) {
  Fill F = uniform(Low, High, 3);
  F.Kind = FillKind::Sorted;
  F.Count = Count;
  return F;
}

TEST(Fill, SortedUniformNumbersDoNotDecrease) {
  for (auto [Low, High, Count] :
       {std::tuple(0.0, 9.0, 1000), {-5.0, 100000.0, 777}, {7.0, 7.0, 10}, {0.0, 1.0, 1}}) {
    std::vector<int> Values = filled<int>(ElementType::I32, sorted(Low, High, Count), Count);
    EXPECT_TRUE(llvm::is_sorted(Values));
    EXPECT_GE(Values.front(), Low);
    EXPECT_LE(Values.back(), High);
    for (int I = 0; I != Count; ++I) {
      double Begin = Low + (High - Low + 1) * I / Count, End = Low + (High - Low + 1) * (I + 1) / Count;
      ASSERT_GE(Values[I], std::floor(Begin)) << "of part " << I;
      ASSERT_LE(Values[I], std::ceil(End));
    }
  }
  std::vector<int64_t> Wide = filled<int64_t>(ElementType::I64, sorted(-0x1p63, 0x1p63 - 1024, 1001), 1001);
  EXPECT_TRUE(llvm::is_sorted(Wide));
  EXPECT_LT(Wide.front(), -(int64_t(1) << 62));
  EXPECT_GT(Wide.back(), int64_t(1) << 62);
  std::vector<uint64_t> Unsigned = filled<uint64_t>(ElementType::U64, sorted(0, 0x1p64 - 2048, 1), 1);
  EXPECT_LE(Unsigned[0], uint64_t(-2048));
  std::vector<float> Reals = filled<float>(ElementType::F32, sorted(-1, 1, 100000), 100000);
  EXPECT_TRUE(llvm::is_sorted(Reals));
  EXPECT_LT(Reals.front(), -0.999f);
  EXPECT_GT(Reals.back(), 0.999f);
  EXPECT_LE(Reals.back(), 1.0f);
  EXPECT_TRUE(errorToBool(validateFill(ElementType::F32, sorted(1, 0, 5))));
  EXPECT_TRUE(errorToBool(validateFill(ElementType::F32, sorted(0, 1, 0))));
}

TEST(Fill, ValuesAreTakenAsTheyAre) {
  Fill F{FillKind::Values};
  F.Bytes = {1, 0, 2, 0, 3, 0};
  EXPECT_EQ(filled<uint16_t>(ElementType::U16, F, 2), (std::vector<uint16_t>{1, 2})) << "the first ones";
  std::vector<uint8_t> Four(8);
  EXPECT_NE(toString(fillBuffer(ElementType::U16, F, Four))
                .find("8 bytes of elements are needed, and the values have 6"),
            std::string::npos);
  std::vector<uint8_t> Part(2);
  fillPart(ElementType::U16, F, 4, Part);
  EXPECT_EQ(Part[0], 3);
}

TEST(Fill, TheDiagonalOfASquareMatrixIsZero) {
  Fill F{FillKind::Constant};
  F.Value = 2;
  F.ZeroDiagonal = 3;
  EXPECT_EQ(filled<int>(ElementType::I32, F, 9), (std::vector<int>{0, 2, 2, 2, 0, 2, 2, 2, 0}));
  std::vector<uint8_t> Part(8);
  fillPart(ElementType::I32, F, 12, Part);
  EXPECT_EQ(Part[0], 2);
  EXPECT_EQ(Part[4], 0) << "element 4 of the whole";
  F.ZeroDiagonal = 1;
  EXPECT_EQ(filled<int>(ElementType::I32, F, 1)[0], 0);
  Fill Shift = counted(FillKind::Shift, 9);
  Shift.ZeroDiagonal = 3;
  EXPECT_NE(toString(validateFill(ElementType::I32, Shift)).find("zero_diagonal goes with"),
            std::string::npos);
}

TEST(Fill, RefusesWhatTheTypeDoesNotHold) {
  Fill F;
  F.Kind = FillKind::Constant;
  F.Value = 300;
  EXPECT_NE(toString(validateFill(ElementType::U8, F)).find("from 0 to 255"), std::string::npos);
  F.Value = 0.5;
  EXPECT_TRUE(errorToBool(validateFill(ElementType::I32, F)));
  F.Value = NAN;
  EXPECT_TRUE(errorToBool(validateFill(ElementType::I64, F)));
  EXPECT_FALSE(errorToBool(validateFill(ElementType::F32, F)));
  EXPECT_TRUE(errorToBool(validateFill(ElementType::F32, uniform(1, 0, 0))));
  EXPECT_TRUE(errorToBool(validateFill(ElementType::F32, uniform(0, INFINITY, 0))));
  EXPECT_TRUE(errorToBool(validateFill(ElementType::I64, uniform(0, 1e300, 0))));
}

} // namespace
