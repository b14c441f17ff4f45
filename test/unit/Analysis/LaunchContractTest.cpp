//===- LaunchContractTest.cpp - Tests of the launch contract --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/LaunchContract.h"
#include "TestModule.h"
#include "gpuprune/Support/Error.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

static constexpr char Kernel[] = "define ptx_kernel void @k() {\n  ret void\n}\n";

TEST(LaunchContract, IsIdentityWhereNothingIsRecorded) {
  auto Module = parseKernels(Kernel);
  Expected<LaunchContract> Contract = readLaunchContract(Module->function("k"));
  ASSERT_TRUE(bool(Contract));
  EXPECT_TRUE(Contract->isIdentity());
  writeLaunchContract(Module->function("k"), LaunchContract{});
  EXPECT_FALSE(Module->function("k").hasFnAttribute("gpuprune-grid-divisor"));
}

TEST(LaunchContract, SurvivesAsAnAttributeAndComposes) {
  auto Module = parseKernels(Kernel);
  Function &F = Module->function("k");
  LaunchContract First;
  First.GridDivisor = {8, 2, 1};
  writeLaunchContract(F, First);
  EXPECT_EQ(F.getFnAttribute("gpuprune-grid-divisor").getValueAsString(), "8,2,1");
  Expected<LaunchContract> Second = cantFail(readLaunchContract(F)).dividedBy({2, 1, 4});
  ASSERT_TRUE(bool(Second));
  EXPECT_EQ(Second->GridDivisor, (Dim3{16, 2, 4}));
  writeLaunchContract(F, *Second);
  EXPECT_EQ(cantFail(readLaunchContract(F)), *Second);
}

TEST(LaunchContract, RefusesFactorsThatOverflowOrVanish) {
  LaunchContract Contract;
  Contract.GridDivisor = {1u << 20, 1, 1};
  EXPECT_EQ(takeError(Contract.dividedBy({1u << 13, 1, 1}).takeError()).Kind, ErrorKind::Refused);
  EXPECT_EQ(takeError(Contract.dividedBy({1, 0, 1}).takeError()).Kind, ErrorKind::Refused);
}

TEST(LaunchContract, DividesAGridOrSaysWhichDimensionDoesNotDivide) {
  LaunchContract Contract;
  Contract.GridDivisor = {4, 2, 1};
  EXPECT_EQ(cantFail(Contract.physicalGrid({256, 256, 1})), (Dim3{64, 128, 1}));
  TakenError Refusal = takeError(Contract.physicalGrid({256, 255, 1}).takeError());
  EXPECT_EQ(Refusal.Kind, ErrorKind::Refused);
  EXPECT_EQ(Refusal.Text.find("refused: grid"), 0u);
  EXPECT_NE(Refusal.Text.find("grid.y = 255"), std::string::npos) << Refusal.Text;
  EXPECT_NE(Refusal.Text.find("multiple of 2"), std::string::npos) << Refusal.Text;
}

TEST(LaunchContract, RejectsWhatIsNotThreePositiveIntegers) {
  for (StringRef Text : {"8,8", "8,8,1,1", "0,1,1", "-8,1,1", "8,x,1", ""}) {
    auto Module = parseKernels(Kernel);
    Module->function("k").addFnAttr("gpuprune-grid-divisor", Text);
    Expected<LaunchContract> Contract = readLaunchContract(Module->function("k"));
    ASSERT_FALSE(bool(Contract)) << Text.str();
    TakenError Error = takeError(Contract.takeError());
    EXPECT_EQ(Error.Kind, ErrorKind::Input);
    EXPECT_NE(Error.Text.find("'k'"), std::string::npos) << Error.Text;
  }
}
