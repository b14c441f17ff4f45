//===- RecordTest.cpp - Plain data as bytes, and back -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/Record.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace llvm;
using namespace gpuprune;

namespace gpuprune {

enum class Colour { Red, Green };

struct Part {
  double Weight = 0;
  std::vector<std::string> Names;
  bool operator==(const Part &) const = default;
};

template <typename R> void mapRecord(R &Record, Part &P) {
  auto &[Weight, Names] = P;
  Record(Weight, Names);
}

struct Whole {
  bool Is = false;
  int64_t Number = 0;
  Colour In = Colour::Red;
  std::string Text;
  std::optional<Part> Maybe;
  std::array<uint16_t, 2> Pair = {};
  std::set<std::string> Distinct;
  std::vector<std::pair<std::string, Part>> Parts;
  bool operator==(const Whole &) const = default;
};

template <typename R> void mapRecord(R &Record, Whole &W) {
  auto &[Is, Number, In, Text, Maybe, Pair, Distinct, Parts] = W;
  Record(Is, Number, In, Text, Maybe, Pair, Distinct, Parts);
}

} // namespace gpuprune

namespace {

Whole example() {
  return {true,
          -7,
          Colour::Green,
          std::string("a\0b\xff", 4),
          Part{0.1, {"x", ""}},
          {1, 65535},
          {"p", "q"},
          {{"first", {-0.0, {}}}, {"second", {std::numeric_limits<double>::infinity(), {"y"}}}}};
}

TEST(Record, WhatIsWrittenIsRead) {
  EXPECT_EQ(fromRecord<Whole>(toRecord(example())), example());
  EXPECT_EQ(fromRecord<Whole>(toRecord(Whole())), Whole());
  EXPECT_TRUE(std::isnan(*fromRecord<double>(toRecord(std::nan("")))));
  EXPECT_EQ(fromRecord<SmallString<0>>(toRecord(SmallString<0>("abc")))->str(), "abc");
}

TEST(Record, DifferentValuesHaveDifferentTexts) {
  EXPECT_NE(toRecord(std::pair<std::string, std::string>("ab", "c")),
            toRecord(std::pair<std::string, std::string>("a", "bc")));
  Whole Other = example();
  Other.Parts[1].second.Names.clear();
  EXPECT_NE(toRecord(Other), toRecord(example()));
}

TEST(Record, WhatIsCutOffOrTooLongIsNothing) {
  std::string Text = toRecord(example());
  for (size_t Length = 0; Length != Text.size(); ++Length)
    EXPECT_EQ(fromRecord<Whole>(Text.substr(0, Length)), std::nullopt) << Length;
  EXPECT_EQ(fromRecord<Whole>(Text + "x"), std::nullopt);
}

TEST(Record, NoByteMakesItCrash) {
  std::string Text = toRecord(example());
  for (size_t At = 0; At != Text.size(); ++At)
    for (unsigned Byte : {0u, 1u, 0x7fu, 0xffu}) {
      std::string Changed = Text;
      Changed[At] = char(Byte);
      if (std::optional<Whole> Read = fromRecord<Whole>(Changed); Read && Changed == Text)
        EXPECT_EQ(*Read, example());
    }
}

} // namespace
