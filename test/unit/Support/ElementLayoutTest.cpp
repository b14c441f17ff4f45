//===- ElementLayoutTest.cpp - What an element of a buffer consists of ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/ElementLayout.h"
#include "gtest/gtest.h"
#include <cstddef>

using namespace llvm;
using namespace gpuprune;

namespace {

using Fields = ElementLayout::FieldList;

ElementLayout structure(Fields Fields, uint64_t Alignment = 1) {
  return cantFail(ElementLayout::structure(std::move(Fields), Alignment));
}

// The compiler is the judge.
TEST(ElementLayout, IsThatOfCxx) {
  struct Mixed {
    uint8_t A;
    double B;
    uint16_t C;
    float D;
    uint8_t E;
  };
  ElementLayout L = structure({{"a", ElementType::U8},
                               {"b", ElementType::F64},
                               {"c", ElementType::U16},
                               {"d", ElementType::F32},
                               {"e", ElementType::I8}});
  EXPECT_EQ(L.bytes(), sizeof(Mixed));
  EXPECT_EQ(L.alignment(), alignof(Mixed));
  EXPECT_EQ(L.fields()[1].Offset, offsetof(Mixed, B));
  EXPECT_EQ(L.fields()[2].Offset, offsetof(Mixed, C));
  EXPECT_EQ(L.fields()[3].Offset, offsetof(Mixed, D));
  EXPECT_EQ(L.fields()[4].Offset, offsetof(Mixed, E));
  EXPECT_EQ(L.bytesOfFields(), 16u);
  EXPECT_EQ(L.text(), "{ a: u8, b: f64, c: u16, d: f32, e: i8 }");
}

TEST(ElementLayout, OfThreeFloats) {
  Fields Three = {{"x", ElementType::F32}, {"y", ElementType::F32}, {"z", ElementType::F32}};
  EXPECT_EQ(structure(Three).bytes(), 12u);
  EXPECT_EQ(structure(Three, 16).bytes(), 16u) << "alignas(16)";
  EXPECT_EQ(structure(Three, 16).fields()[2].Offset, 8u);
  EXPECT_TRUE(structure(Three).hasFloatingPoint());
  EXPECT_FALSE(structure({{"i", ElementType::I32}}).hasFloatingPoint());
}

TEST(ElementLayout, AScalarIsAFieldWithoutAName) {
  ElementLayout L = ElementType::F16;
  EXPECT_FALSE(L.isStructure());
  EXPECT_EQ(L.scalar(), ElementType::F16);
  EXPECT_EQ(L.bytes(), 2u);
  EXPECT_EQ(L.text(), "f16");
  EXPECT_NE(L, structure({{"x", ElementType::F16}}));
  EXPECT_FALSE(structure({{"x", ElementType::F16}}).scalar());
}

std::string errorOf(Expected<ElementLayout> L) { return L ? "" : toString(L.takeError()); }

TEST(ElementLayout, RefusesWhatIsNoStructure) {
  EXPECT_NE(errorOf(ElementLayout::structure({})).find("1 to 256 fields, not 0"), std::string::npos);
  EXPECT_NE(errorOf(ElementLayout::structure(Fields(257, {"x", ElementType::U8}))).find("not 257"),
            std::string::npos);
  EXPECT_NE(errorOf(ElementLayout::structure({{"x", ElementType::U8}, {"x", ElementType::U8}})).find("'x'"),
            std::string::npos);
  for (uint64_t Alignment : {0, 3, 32})
    EXPECT_NE(errorOf(ElementLayout::structure({{"x", ElementType::U8}}, Alignment)).find("alignment"),
              std::string::npos);
  EXPECT_EQ(errorOf(ElementLayout::placed({{"x", ElementType::U8, 4}, {"y", ElementType::F32, 8}}, 16)), "");
  Fields Overlap = {{"x", ElementType::U16, 0}, {"y", ElementType::U8, 1}};
  Fields Odd = {{"x", ElementType::F32, 2}};
  Fields Far = {{"x", ElementType::F32, UINT32_MAX - 3}};
  EXPECT_NE(errorOf(ElementLayout::placed(Overlap, 4)), "");
  EXPECT_NE(errorOf(ElementLayout::placed(Odd, 8)), "");
  EXPECT_NE(errorOf(ElementLayout::placed(Far, uint64_t(1) << 32)), "");
  EXPECT_NE(errorOf(ElementLayout::placed({{"x", ElementType::F32, 0}}, 3)), "") << "too small";
  EXPECT_NE(errorOf(ElementLayout::placed({{"x", ElementType::F32, 0}}, 6)), "")
      << "elements would not align";
}

TEST(ElementLayout, FieldsOfAPartOfABuffer) {
  ElementLayout L = structure({{"a", ElementType::U8}, {"b", ElementType::F32}});
  std::vector<std::pair<uint64_t, size_t>> Seen;
  forEachField(L, 4, 17, [&](uint64_t At, size_t Field) { Seen.emplace_back(At, Field); });
  EXPECT_EQ(Seen, (std::vector<std::pair<uint64_t, size_t>>{{4, 1}, {8, 0}, {12, 1}, {16, 0}}));
  EXPECT_EQ(L.fieldAt(8), 0u);
  EXPECT_EQ(L.fieldAt(15), 1u);
}

TEST(ElementLayout, PaddingIsCleared) {
  ElementLayout L = structure({{"a", ElementType::F32}, {"b", ElementType::U8}});
  std::vector<uint8_t> Bytes(16, 0xA5);
  clearPadding(L, Bytes);
  for (size_t I = 0; I != Bytes.size(); ++I)
    EXPECT_EQ(Bytes[I], I % 8 < 5 ? 0xA5 : 0) << I;
  std::vector<uint8_t> Dense(8, 1);
  clearPadding(ElementType::F32, Dense);
  EXPECT_EQ(Dense, std::vector<uint8_t>(8, 1));
}

} // namespace
