//===- PhysicalLaunchTest.cpp - Tests of what is launched -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Launch/PhysicalLaunch.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

static PhysicalLaunch full() {
  return {{4, 5, 6}, {7, 8, 9}, 1024, {{HiddenParameter::GridY, 4294967295}}, {{2, 64, "table"}}, 32, 50};
}

static json::Value written(const PhysicalLaunch &Launch) {
  json::Object Object{{"symbol", "kept"}};
  writeLaunch(Object, Launch);
  return Object;
}

/// What is said of \p Text; empty where it can be read.
static std::string problemOf(StringRef Text) {
  PhysicalLaunch Launch;
  json::Path::Root Root("launch");
  if (readLaunch(cantFail(json::parse(Text)), Launch, Root))
    return "";
  return toString(Root.getError());
}

TEST(PhysicalLaunch, ComesBackFromJson) {
  for (const PhysicalLaunch &Launch : {full(), asWritten({{1, 1, 1}, {32, 1, 1}, 0})}) {
    json::Value Written = written(Launch);
    EXPECT_EQ(Written.getAsObject()->getString("symbol"), "kept");
    PhysicalLaunch Back;
    json::Path::Root Root;
    EXPECT_TRUE(readLaunch(Written, Back, Root));
    EXPECT_EQ(Back, Launch);
  }
}

TEST(PhysicalLaunch, ExtentsOfOneMayBeLeftOut) {
  PhysicalLaunch Launch;
  json::Path::Root Root;
  ASSERT_TRUE(readLaunch(cantFail(json::parse(R"({"grid": [4], "block": [32, 2]})")), Launch, Root));
  EXPECT_EQ(Launch, (PhysicalLaunch{{4, 1, 1}, {32, 2, 1}}));
}

TEST(PhysicalLaunch, ErrorsSayWhere) {
  EXPECT_NE(problemOf("[]").find("expected object"), std::string::npos) << problemOf("[]");
  std::pair<StringRef, StringRef> Cases[] = {
      {R"({"block": [1]})", "launch.grid"},
      {R"({"grid": [1, 2, 3, 4], "block": [1]})", "one to three integers at launch.grid"},
      {R"({"grid": [], "block": [1]})", "one to three integers at launch.grid"},
      {R"({"grid": [1, 0.5], "block": [1]})", "expected an integer at launch.grid[1]"},
      {R"({"grid": [1], "block": [1], "dynamic_shared_bytes": -1})",
       "at least 0 at launch.dynamic_shared_bytes"},
      {R"({"grid": [1], "block": [1], "hidden_arguments": [{"name": "grid.w", "value": 1}]})",
       "expected grid.x, grid.y, grid.z, shared.bytes, blocks.x, blocks.y or blocks.z at "
       "launch.hidden_arguments[0].name"},
      {R"({"grid": [1], "block": [1], "hidden_arguments": [{"name": "grid.x", "value": 4294967296}]})",
       "below 2^32 at launch.hidden_arguments[0].value"},
      {R"({"grid": [1], "block": [1], "constant_copies": [{"argument": 1, "symbol": "s"}]})",
       "launch.constant_copies[0].bytes"},
      {R"({"grid": [1], "block": [1], "shared_carveout": 101})", "0 to 100 at launch.shared_carveout"},
      {R"({"grid": [1], "block": [1], "shared_carveout": "half"})", "launch.shared_carveout"},
      {R"({"grid": [1], "block": [1], "unwritten_variables": "table"})", "launch.unwritten_variables"},
  };
  for (auto [Text, Said] : Cases)
    EXPECT_NE(problemOf(Text).find(Said), std::string::npos) << problemOf(Text);
}

TEST(PhysicalLaunch, KeysDifferWhereLaunchesDo) {
  auto Changed = [](auto Change) {
    PhysicalLaunch Launch = full();
    Change(Launch);
    return launchKey(Launch);
  };
  EXPECT_EQ(launchKey(full()), launchKey(full()));
  for (const std::string &Key :
       {Changed([](PhysicalLaunch &L) { L.Grid.Z = 1; }), Changed([](PhysicalLaunch &L) { L.Block.X = 1; }),
        Changed([](PhysicalLaunch &L) { L.SharedBytes = 1; }),
        Changed([](PhysicalLaunch &L) { L.Hidden[0].Value = 1; }),
        Changed([](PhysicalLaunch &L) { L.ConstantCopies[0].Symbol = "x"; }),
        Changed([](PhysicalLaunch &L) { L.PointerAlignment = 1; }),
        Changed([](PhysicalLaunch &L) { L.SharedCarveout = 0; }),
        Changed([](PhysicalLaunch &L) { L.SharedCarveout.reset(); }),
        Changed([](PhysicalLaunch &L) { L.UnwrittenVariables = {"table"}; })})
    EXPECT_NE(Key, launchKey(full()));
}
