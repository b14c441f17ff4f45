//===- FillTest.cpp - Deterministic buffer contents -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Runtime/Fill.h"
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
  EXPECT_TRUE(errorToBool(checkFiles(ElementType::U8, F, 1))) << "behind the end";
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
