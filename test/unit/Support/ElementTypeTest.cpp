//===- ElementTypeTest.cpp - Types of elements and scalars ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/ElementType.h"
#include "gpuprune/Support/Error.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace llvm;
using namespace gpuprune;

TEST(ElementType, NamesGoBothWays) {
  for (StringRef Name : {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64"}) {
    Expected<ElementType> Type = parseElementType(Name);
    ASSERT_TRUE(bool(Type));
    EXPECT_EQ(elementTypeName(*Type), Name);
    unsigned Bits = 0;
    EXPECT_FALSE(Name.drop_while([](char C) { return C < '0' || C > '9'; }).getAsInteger(10, Bits));
    EXPECT_EQ(elementBytes(*Type) * 8, Bits);
    EXPECT_EQ(isFloatingPoint(*Type), Name.contains('f'));
    EXPECT_EQ(isSignedInteger(*Type), Name.starts_with("i"));
  }
  EXPECT_EQ(takeError(parseElementType("bool").takeError()).Text,
            "unknown type 'bool'; a bool is a u8 of 0 or 1");
  EXPECT_NE(takeError(parseElementType("float").takeError()).Text.find("unknown type 'float'"),
            std::string::npos);
}

TEST(ElementType, IntegerRanges) {
  EXPECT_TRUE(holdsInteger(ElementType::I8, -128));
  EXPECT_FALSE(holdsInteger(ElementType::I8, 128));
  EXPECT_TRUE(holdsInteger(ElementType::U8, 255));
  EXPECT_FALSE(holdsInteger(ElementType::U8, -1));
  EXPECT_FALSE(holdsInteger(ElementType::U64, -1));
  EXPECT_TRUE(holdsInteger(ElementType::U64, INT64_MAX));
  EXPECT_TRUE(holdsInteger(ElementType::I64, INT64_MIN));
  EXPECT_FALSE(holdsInteger(ElementType::I32, int64_t(1) << 31));
}

TEST(ElementType, Encodings) {
  EXPECT_EQ(encodeInteger(ElementType::I32, -1), 0xffffffffu);
  EXPECT_EQ(encodeInteger(ElementType::I64, -1), ~uint64_t(0));
  EXPECT_EQ(encodeReal(ElementType::F32, 1.0), 0x3f800000u);
  EXPECT_EQ(encodeReal(ElementType::F64, -2.0), 0xc000000000000000u);
  EXPECT_EQ(encodeReal(ElementType::F16, 1.5), 0x3e00u);
  EXPECT_EQ(encodeReal(ElementType::BF16, 1.5), 0x3fc0u);
  EXPECT_TRUE(holdsReal(ElementType::F16, 65504));
  EXPECT_FALSE(holdsReal(ElementType::F16, 65520));
  EXPECT_FALSE(holdsReal(ElementType::F32, 1e39));
}

TEST(ElementType, BitsAndText) {
  EXPECT_EQ(toInteger(ElementType::I8, 0xFF), -1);
  EXPECT_EQ(toInteger(ElementType::U8, 0xFF), 255);
  EXPECT_EQ(toDouble(ElementType::U64, UINT64_MAX), std::ldexp(1.0, 64));
  EXPECT_EQ(toDouble(ElementType::F16, 0xC000), -2.0);
  EXPECT_TRUE(std::isnan(toDouble(ElementType::BF16, 0x7FC0)));
  EXPECT_EQ(describeElement(ElementType::F32, 0x3FA00000), "1.25 (0x3fa00000)");
  EXPECT_EQ(describeElement(ElementType::I16, 0xFFFE), "-2 (0xfffe)");
  for (ElementType Type : {ElementType::F16, ElementType::I64, ElementType::BF16})
    EXPECT_EQ(cantFail(parseElementType(elementTypeName(Type))), Type);
}

TEST(ElementType, DoublesAreEncodedOnlyWhereExact) {
  EXPECT_EQ(encodeExactly(ElementType::I16, -2.0), 0xfffeu);
  EXPECT_EQ(encodeExactly(ElementType::U64, 0x1p63), uint64_t(1) << 63);
  EXPECT_EQ(encodeExactly(ElementType::F32, 0.1), encodeReal(ElementType::F32, 0.1));
  EXPECT_FALSE(encodeExactly(ElementType::I32, 0.5));
  EXPECT_FALSE(encodeExactly(ElementType::I32, NAN));
  EXPECT_FALSE(encodeExactly(ElementType::U8, 256));
  EXPECT_FALSE(encodeExactly(ElementType::U8, -1));
  EXPECT_FALSE(encodeExactly(ElementType::I64, 0x1p63)) << "one above the greatest";
}

TEST(ElementType, HoldsIndices) {
  for (auto [Type, Most] : {std::pair(ElementType::I8, uint64_t(128)),
                            {ElementType::U8, 256},
                            {ElementType::I16, 32768},
                            {ElementType::U32, uint64_t(1) << 32},
                            {ElementType::I64, uint64_t(1) << 63},
                            {ElementType::BF16, 257},
                            {ElementType::F16, 2049},
                            {ElementType::F32, (uint64_t(1) << 24) + 1},
                            {ElementType::F64, uint64_t(1) << 53}}) {
    EXPECT_TRUE(holdsIndices(Type, 0));
    EXPECT_TRUE(holdsIndices(Type, 1));
    EXPECT_TRUE(holdsIndices(Type, Most)) << elementTypeName(Type).str();
    for (uint64_t More : {1, 2, 3, 1000})
      EXPECT_FALSE(holdsIndices(Type, Most + More)) << elementTypeName(Type).str();
  }
}
