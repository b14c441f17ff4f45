//===- ForeignJsonTest.cpp - Tests of JSON from others ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/ForeignJson.h"
#include "gpuprune/Support/Error.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

static TakenError problemOf(StringRef Text) {
  Expected<json::Value> Parsed = parseForeignJson(Text);
  EXPECT_FALSE(bool(Parsed)) << Text.take_front(80).str();
  return takeError(Parsed.takeError());
}

static std::string nested(unsigned Depth) { return std::string(Depth, '[') + std::string(Depth, ']'); }

TEST(ForeignJson, NestingIsLimited) {
  EXPECT_EQ(cantFail(parseForeignJson(nested(64))).kind(), json::Value::Array);
  for (const std::string &Deep : {nested(65), std::string(500000, '['), std::string(500000, '{')}) {
    TakenError Taken = problemOf(Deep);
    EXPECT_EQ(Taken.Kind, ErrorKind::Input);
    EXPECT_EQ(Taken.Text, "JSON nested deeper than 64 levels");
  }
  std::string Pairs = "[";
  for (int I = 0; I != 1000; ++I)
    Pairs += "[{}],";
  EXPECT_TRUE(bool(parseForeignJson(Pairs + "0]")));
}

TEST(ForeignJson, BracketsInStringsDoNotCount) {
  std::string Brackets(100, '[');
  EXPECT_TRUE(bool(parseForeignJson(R"({"a":")" + Brackets + R"("})")));
  EXPECT_TRUE(bool(parseForeignJson(R"({"a":"\")" + Brackets + R"("})")));
  EXPECT_EQ(problemOf(R"({"a":"\\","b":)" + Brackets).Text, "JSON nested deeper than 64 levels");
}

TEST(ForeignJson, OtherTextIsNotJson) {
  for (StringRef Text : {"", "[", "]", "{\"a\"", "\"\\"})
    EXPECT_TRUE(StringRef(problemOf(Text).Text).starts_with("not JSON: ")) << Text.str();
}
