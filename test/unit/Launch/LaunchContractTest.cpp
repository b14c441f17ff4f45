//===- LaunchContractTest.cpp - Tests of the launch contract --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Launch/LaunchContract.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

TEST(LaunchContract, RefusesFactorsThatOverflowOrVanish) {
  LaunchContract Contract;
  Contract.GridDivisor = {1u << 20, 1, 1};
  TakenError Refusal = takeError(Contract.dividedBy({1u << 13, 1, 1}).takeError());
  EXPECT_EQ(Refusal.Kind, ErrorKind::Refused);
  EXPECT_EQ(Refusal.Text.find("refused (DivisorTooLarge): grid"), 0u) << Refusal.Text;
  EXPECT_EQ(takeError(Contract.dividedBy({1, 0, 1}).takeError()).Kind, ErrorKind::Refused);
}

TEST(LaunchContract, DividesAGridOrSaysWhichDimensionDoesNotDivide) {
  LaunchContract Contract;
  Contract.GridDivisor = {4, 2, 1};
  EXPECT_EQ(cantFail(apply({{256, 256, 1}, {64, 8, 1}}, Contract, 1)).Grid, (Dim3{64, 128, 1}));
  TakenError Refusal = takeError(apply({{256, 255, 1}, {64, 8, 1}}, Contract, 1).takeError());
  EXPECT_EQ(Refusal.Kind, ErrorKind::Refused);
  EXPECT_EQ(Refusal.Text.find("refused (ShapeNotDivisible): grid"), 0u);
  EXPECT_NE(Refusal.Text.find("grid.y = 255"), std::string::npos) << Refusal.Text;
  EXPECT_NE(Refusal.Text.find("multiple of 2"), std::string::npos) << Refusal.Text;
}

TEST(LaunchContract, RoundsUpWhatIsAHiddenParameter) {
  LaunchContract Contract;
  Contract.GridDivisor = {4, 2, 1};
  Contract.Hidden = {HiddenParameter::GridX};
  PhysicalLaunch Shape = cantFail(apply({{255, 256, 1}, {64, 1, 1}}, Contract, 1));
  EXPECT_EQ(Shape.Grid, (Dim3{64, 128, 1}));
  EXPECT_EQ(Shape.Hidden, (std::vector<HiddenArgument>{{HiddenParameter::GridX, 255}}));
  EXPECT_EQ(cantFail(apply({{1, 2, 1}, {64, 8, 1}}, Contract, 1)).Grid, (Dim3{1, 1, 1}));
  TakenError Other = takeError(apply({{255, 255, 1}, {64, 1, 1}}, Contract, 1).takeError());
  EXPECT_NE(Other.Text.find("grid.y = 255 is not a multiple of 2"), std::string::npos) << Other.Text;
  EXPECT_NE(Other.Text.find("or grid=any"), std::string::npos) << Other.Text;
  int64_t Largest = (int64_t(1) << 31) - 1;
  EXPECT_EQ(cantFail(apply({{Largest, 2, 1}, {64, 8, 1}}, Contract, 1)).Grid.X, int64_t(1) << 29);
  Contract.GridDivisor.X = 3;
  EXPECT_EQ(takeError(apply({{Largest, 2, 1}, {64, 8, 1}}, Contract, 1).takeError()).Kind, ErrorKind::Refused)
      << "the last replica has no number of 31 bits";
}

TEST(LaunchContract, MultipliesDynamicSharedMemoryInAlignedCopies) {
  LaunchContract Contract;
  EXPECT_EQ(cantFail(apply({{4, 1, 1}, {64, 1, 1}, 100}, Contract, 1)).SharedBytes, 100u);
  Contract.SharedCopies = 4;
  Contract.Hidden = {HiddenParameter::GridY, HiddenParameter::SharedBytes};
  PhysicalLaunch Shape = cantFail(apply({{4, 3, 1}, {64, 1, 1}, 100}, Contract, 1));
  EXPECT_EQ(Shape.SharedBytes, 4 * 112u);
  EXPECT_EQ(Shape.Hidden,
            (std::vector<HiddenArgument>{{HiddenParameter::GridY, 3}, {HiddenParameter::SharedBytes, 100}}));
}

TEST(LaunchContract, PutsTheKernelsOwnArraysInFrontOfDynamicSharedMemory) {
  LaunchContract Contract;
  Contract.SharedArrays = 65536;
  EXPECT_EQ(cantFail(apply({{4, 1, 1}, {64, 1, 1}}, Contract, 1)).SharedBytes, 65536u);
  EXPECT_EQ(cantFail(apply({{4, 1, 1}, {64, 1, 1}, 100}, Contract, 1)).SharedBytes, 65636u);
  Contract.SharedCopies = 2;
  EXPECT_EQ(cantFail(apply({{4, 1, 1}, {64, 1, 1}, 100}, Contract, 1)).SharedBytes, 65536 + 2 * 112u);
}

TEST(LaunchContract, IsTheAuthorsLaunchWhereNothingIsAsked) {
  AuthorLaunch Author{{7, 3, 2}, {32, 4, 1}, 100};
  EXPECT_EQ(cantFail(apply(Author, {}, 1)), asWritten(Author));
}

TEST(LaunchContract, DividesBlocks) {
  LaunchContract Contract =
      cantFail(cantFail(LaunchContract().blockDividedBy({2, 1, 1})).blockDividedBy({2, 4, 1}));
  PhysicalLaunch Launch = cantFail(apply({{8, 3, 1}, {64, 8, 1}}, Contract, 1));
  EXPECT_EQ(Launch.Grid, (Dim3{8, 3, 1}));
  EXPECT_EQ(Launch.Block, (Dim3{16, 2, 1}));
  EXPECT_EQ(cantFail(Contract.physicalBlock({64, 8, 1})), Launch.Block);
}

TEST(LaunchContract, LaunchesNoMoreBlocksThanStayOnTheDevice) {
  LaunchContract Contract;
  Contract.PersistentBlocks = 2;
  Contract.GridDivisor = {2, 1, 1};
  Contract.Hidden = {HiddenParameter::GridX, HiddenParameter::BlocksX, HiddenParameter::BlocksY,
                     HiddenParameter::BlocksZ};
  AuthorLaunch Author{{9, 3, 2}, {64, 1, 1}};
  std::vector<HiddenArgument> Hidden{{HiddenParameter::GridX, 9},
                                     {HiddenParameter::BlocksX, 5},
                                     {HiddenParameter::BlocksY, 3},
                                     {HiddenParameter::BlocksZ, 2}};
  for (auto [Multiprocessors, Launched] : {std::pair(1, 2), {14, 28}, {15, 30}, {132, 30}}) {
    PhysicalLaunch Shape = cantFail(apply(Author, Contract, Multiprocessors));
    EXPECT_EQ(Shape.Grid, (Dim3{Launched, 1, 1}));
    EXPECT_EQ(Shape.Hidden, Hidden);
  }
  // All blocks are numbered in 32 bits.
  Contract.GridDivisor = {1, 1, 1};
  int64_t Largest = (int64_t(1) << 31) - 1;
  EXPECT_EQ(cantFail(apply({{Largest, 1, 1}, {64, 1, 1}}, Contract, 132)).Grid, (Dim3{264, 1, 1}));
  TakenError Refusal = takeError(apply({{1 << 30, 2, 1}, {64, 1, 1}}, Contract, 132).takeError());
  EXPECT_EQ(Refusal.Kind, ErrorKind::Refused);
  EXPECT_EQ(Refusal.Text.find("refused (BadLaunchContract): the grid has 1073741824 x 2 x 1 blocks"), 0u)
      << Refusal.Text;
}

TEST(LaunchContract, LaunchesAnyGridWhereTheKernelIsRightInAny) {
  LaunchContract Contract;
  Contract.GridBlocks = 4;
  Contract.GridDivisor = {2, 1, 1};
  Contract.Hidden = {HiddenParameter::GridX, HiddenParameter::BlocksX};
  PhysicalLaunch Shape = cantFail(apply({{64, 3, 1}, {256, 1, 1}}, Contract, 132));
  EXPECT_EQ(Shape.Grid, (Dim3{528, 3, 1}));
  EXPECT_EQ(Shape.Hidden,
            (std::vector<HiddenArgument>{{HiddenParameter::GridX, 1056}, {HiddenParameter::BlocksX, 528}}));
  // The author's number is divisible by nothing.
  EXPECT_EQ(cantFail(apply({{65535, 1, 1}, {256, 1, 1}}, Contract, 132)).Grid.X, 528);
  for (auto [Blocks, Multiprocessors] : {std::pair<int64_t, int64_t>(1, 132), {65536, 132}, {64, 8192}}) {
    TakenError Refusal =
        takeError(apply({{Blocks, 1, 1}, {256, 1, 1}}, Contract, Multiprocessors).takeError());
    EXPECT_EQ(Refusal.Kind, ErrorKind::Refused);
    EXPECT_NE(Refusal.Text.find("gpu-grid is right where both are from 2 to 65535"), std::string::npos)
        << Refusal.Text;
  }
  Contract.GridDivisor = {std::numeric_limits<int64_t>::max(), 1, 1};
  EXPECT_TRUE(errorToBool(apply({{64, 1, 1}, {256, 1, 1}}, Contract, 132).takeError()));
  Contract.GridDivisor = {1, 1, 1};
  Contract.PersistentBlocks = 1;
  EXPECT_TRUE(errorToBool(apply({{64, 1, 1}, {256, 1, 1}}, Contract, 132).takeError()));
}

TEST(LaunchContract, HandsOnWhatIsPartOfTheLaunch) {
  LaunchContract Contract;
  Contract.PointerAlignment = 16;
  Contract.ConstantCopies = {{1, 4096, "table"}};
  Contract.SharedCarveout = 25;
  Contract.UnwrittenVariables = {"directions"};
  PhysicalLaunch Launch = cantFail(apply({{4, 1, 1}, {64, 1, 1}}, Contract, 1));
  EXPECT_EQ(Launch.PointerAlignment, 16u);
  EXPECT_EQ(Launch.SharedCarveout, 25u);
  EXPECT_EQ(Launch.ConstantCopies, Contract.ConstantCopies);
  EXPECT_EQ(Launch.UnwrittenVariables, Contract.UnwrittenVariables);
}

/// Each field has a value of its own, so that none is taken for another.
LaunchContract full() {
  LaunchContract Contract;
  Contract.GridDivisor = {2, 3, 4};
  Contract.BlockDivisor = {5, 6, 7};
  Contract.PointerAlignment = 16;
  Contract.ConstantCopies = {{1, 4096, "table"}, {0, 1, "other_0"}};
  Contract.SharedCopies = 9;
  Contract.SharedArrays = 65536;
  Contract.SharedCarveout = 0;
  Contract.UnwrittenVariables = {"directions", "_ZN5other5tableE"};
  Contract.PersistentBlocks = 4;
  Contract.GridBlocks = 3;
  Contract.GridEnd = GridBound{2, 64, false, true, 7};
  Contract.Hidden = {HiddenParameter::SharedBytes, HiddenParameter::GridZ, HiddenParameter::BlocksY};
  return Contract;
}

TEST(LaunchContract, ComesBackFromJson) {
  EXPECT_EQ(formatv("{0}", toJSON(LaunchContract())).str(), "{}");
  for (const LaunchContract &Contract : {LaunchContract(), full()}) {
    LaunchContract Back = full();
    json::Path::Root Root;
    EXPECT_TRUE(fromJSON(toJSON(Contract), Back, Root));
    EXPECT_EQ(Back, Contract);
  }
  EXPECT_EQ(toJSON(full()).getAsObject()->size(), contractFields().size()) << "a field has no text";
}

TEST(LaunchContract, WhatJsonSaysWrongIsNoContract) {
  for (StringRef Text : {R"([])",
                         R"({"grid-divisor": 8})",
                         R"({"grid-divisor": "8,8"})",
                         R"({"grid_divisor": "8,8,1"})",
                         R"({"a field of tomorrow": "1"})",
                         R"({"hidden-parameters": "grid.w"})",
                         R"({"constant-copies": "1:0:table"})",
                         R"({"pointer-alignment": "24"})",
                         R"({"persistent-blocks": "0"})",
                         R"({"persistent-blocks": "33"})",
                         R"({"grid-blocks": "0"})",
                         R"({"grid-blocks": "33"})",
                         R"({"grid-bound": "1:s32:0"})",
                         R"({"grid-bound": "1:s16:1"})",
                         R"({"grid-bound": "1:i32:1"})",
                         R"({"grid-bound": "1:s32:1*blocks"})",
                         R"({"grid-bound": "1:s32"})",
                         R"({"grid-bound": "1:s32:32769"})",
                         R"({"grid-bound": "-1:s32:1"})",
                         R"({"shared-carveout": "101"})",
                         R"({"unwritten-variables": "a,,b"})",
                         R"({"unwritten-variables": "a,a"})",
                         R"({"shared-carveout": "-1"})"}) {
    LaunchContract Contract;
    json::Path::Root Root;
    json::Value Value = cantFail(json::parse(Text)); // Whose keys the error names.
    EXPECT_FALSE(fromJSON(Value, Contract, Root)) << Text.str();
    EXPECT_TRUE(errorToBool(Root.getError())) << Text.str();
  }
}
