//===- LaunchAttributesTest.cpp - Tests of the contract in IR --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/LaunchAttributes.h"
#include "TestModule.h"
#include "gpuprune/Support/Error.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

static constexpr char Kernel[] = "define ptx_kernel void @k() {\n  ret void\n}\n";

TEST(LaunchAttributes, IsIdentityWhereNothingIsRecorded) {
  auto Module = parseKernels(Kernel);
  Expected<LaunchContract> Contract = readLaunchContract(Module->function("k"));
  ASSERT_TRUE(bool(Contract));
  EXPECT_TRUE(Contract->isIdentity());
  writeLaunchContract(Module->function("k"), LaunchContract{});
  EXPECT_FALSE(Module->function("k").hasFnAttribute("gpuprune-grid-divisor"));
}

TEST(LaunchAttributes, SurvivesAsAnAttributeAndComposes) {
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

TEST(LaunchAttributes, HiddenParametersAreTheLastOnes) {
  auto Module = parseKernels("define ptx_kernel void @k(ptr %p, i32 %a, i32 %b) {\n  ret void\n}\n"
                             "define ptx_kernel void @wide(i64 %a) {\n  ret void\n}\n");
  Function &F = Module->function("k");
  LaunchContract Contract;
  Contract.SharedCopies = 2;
  Contract.Hidden = {HiddenParameter::SharedBytes, HiddenParameter::GridZ};
  writeLaunchContract(F, Contract);
  EXPECT_EQ(F.getFnAttribute("gpuprune-hidden-parameters").getValueAsString(), "shared.bytes,grid.z");
  EXPECT_EQ(F.getFnAttribute("gpuprune-shared-copies").getValueAsString(), "2");
  EXPECT_EQ(cantFail(readLaunchContract(F)), Contract);
  EXPECT_EQ(Contract.hidden(HiddenParameter::GridZ), 1u);
  EXPECT_FALSE(Contract.takesAnyGrid(0));
  EXPECT_TRUE(Contract.takesAnyGrid(2));
  for (StringRef Wrong : {"grid.x,grid.y,grid.z", "grid.x,grid.x", "grid.w", "", "grid.x,"}) {
    F.addFnAttr("gpuprune-hidden-parameters", Wrong);
    EXPECT_EQ(takeError(readLaunchContract(F).takeError()).Kind, ErrorKind::Input) << Wrong.str();
  }
  Module->function("wide").addFnAttr("gpuprune-hidden-parameters", "grid.x");
  EXPECT_EQ(takeError(readLaunchContract(Module->function("wide")).takeError()).Kind, ErrorKind::Input);
  writeLaunchContract(F, LaunchContract{});
  EXPECT_FALSE(F.hasFnAttribute("gpuprune-hidden-parameters"));
  EXPECT_FALSE(F.hasFnAttribute("gpuprune-shared-copies"));
  F.addFnAttr("gpuprune-shared-copies", "0");
  EXPECT_EQ(takeError(readLaunchContract(F).takeError()).Kind, ErrorKind::Input);
}

TEST(LaunchAttributes, KeepBlocksAndTheAlignment) {
  auto Module = parseKernels(Kernel);
  Function &F = Module->function("k");
  LaunchContract First;
  First.GridDivisor = {2, 1, 1};
  First.PointerAlignment = 16;
  LaunchContract Contract = cantFail(cantFail(First.blockDividedBy({2, 1, 1})).blockDividedBy({2, 4, 1}));
  EXPECT_FALSE(Contract.isIdentity());
  writeLaunchContract(F, Contract);
  EXPECT_EQ(F.getFnAttribute("gpuprune-block-divisor").getValueAsString(), "4,4,1");
  EXPECT_EQ(F.getFnAttribute("gpuprune-pointer-alignment").getValueAsString(), "16");
  EXPECT_EQ(cantFail(readLaunchContract(F)), Contract);
  writeLaunchContract(F, LaunchContract{});
  EXPECT_FALSE(F.hasFnAttribute("gpuprune-pointer-alignment"));
}

TEST(LaunchAttributes, RejectsAnAlignmentThatIsNone) {
  for (StringRef Text : {"12", "0", "-4", "x", ""}) {
    auto Module = parseKernels(Kernel);
    Module->function("k").addFnAttr("gpuprune-pointer-alignment", Text);
    Expected<LaunchContract> Contract = readLaunchContract(Module->function("k"));
    ASSERT_FALSE(bool(Contract)) << Text.str();
    EXPECT_NE(takeError(Contract.takeError()).Text.find("expected a power of two"), std::string::npos);
  }
}

TEST(LaunchAttributes, KeepsWhatIsCopiedToConstantMemory) {
  auto Module = parseKernels("define ptx_kernel void @k(ptr %a, ptr %b) { ret void }");
  Function &F = Module->function("k");
  LaunchContract First;
  First.ConstantCopies = {{1, 4096, "table"}, {0, 1, "other_0"}};
  writeLaunchContract(F, cantFail(First.dividedBy({2, 1, 1})));
  EXPECT_EQ(F.getFnAttribute("gpuprune-constant-copies").getValueAsString(), "1:4096:table,0:1:other_0");
  LaunchContract Contract = cantFail(readLaunchContract(F));
  EXPECT_FALSE(Contract.isIdentity());
  EXPECT_EQ(Contract.ConstantCopies, First.ConstantCopies);
  Error Fits = Contract.ConstantCopies[0].checkBuffer("t", 4096);
  EXPECT_FALSE(bool(Fits));
  TakenError Refusal = takeError(Contract.ConstantCopies[0].checkBuffer("t", 4097));
  EXPECT_EQ(Refusal.Kind, ErrorKind::Refused);
  EXPECT_EQ(Refusal.Text.find("refused (TooLarge): buffer 't' has 4097 bytes"), 0u) << Refusal.Text;
  for (StringRef Text : {"", "1", "1:0:t", "2:8:t", "1:8:", "1:8:t,", "-1:8:t", "x:8:t"}) {
    F.addFnAttr("gpuprune-constant-copies", Text);
    Expected<LaunchContract> Wrong = readLaunchContract(F);
    ASSERT_FALSE(bool(Wrong)) << Text.str();
    EXPECT_NE(takeError(Wrong.takeError()).Text.find("2:4096:table"), std::string::npos);
  }
}

TEST(LaunchAttributes, RejectsWhatIsNotThreePositiveIntegers) {
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
