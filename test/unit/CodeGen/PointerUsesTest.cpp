//===- PointerUsesTest.cpp - What kernels do with pointers ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/PointerUses.h"
#include "gpuprune/CodeGen/Toolchain.h"
#include "gpuprune/CodeGen/VariantCompiler.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

namespace {

/// Of a kernel of Inputs/pointers.cu.
PointerUses usesOf(StringRef Kernel) {
  static const std::string Bitcode = [] {
    initializeCodeGen();
    FrontendRequest Request{GPUPRUNE_SOURCE_DIR "/test/unit/CodeGen/Inputs/pointers.cu", {}, {}, "sm_90"};
    return cantFail(compileToBitcode(cantFail(findToolchain()), Request));
  }();
  return cantFail(pointerUses(Bitcode, Kernel));
}

TEST(PointerUses, ParametersAloneNeedNoAddresses) {
  PointerUses Uses = usesOf("direct");
  EXPECT_FALSE(Uses.needAddresses());
  ASSERT_EQ(Uses.Parameters.size(), 3u);
  EXPECT_EQ(Uses.Parameters[0].Type, ElementType::F32);
  EXPECT_FALSE(Uses.Parameters[0].MayWrite);
  EXPECT_TRUE(Uses.Parameters[1].MayWrite);
  EXPECT_TRUE(Uses.Fields.empty());
  EXPECT_FALSE(usesOf("shuffled").needAddresses()) << "shared and local memory are its own";
}

TEST(PointerUses, KnowsPointersInStructures) {
  PointerUses Uses = usesOf("given");
  EXPECT_TRUE(Uses.needAddresses());
  EXPECT_FALSE(Uses.HasOthers);
  ASSERT_EQ(Uses.Fields.size(), 2u);
  for (unsigned I : {0u, 1u}) {
    EXPECT_EQ(Uses.Fields[I].Parameter, 0u);
    EXPECT_EQ(Uses.Fields[I].Offset, 8 * I);
    EXPECT_EQ(Uses.Fields[I].Use.Type, ElementType::F32);
    EXPECT_EQ(Uses.Fields[I].Use.MayWrite, I == 1);
  }
}

TEST(PointerUses, PointersFromMemoryMayPointAnywhere) {
  PointerUses List = usesOf("listed");
  EXPECT_TRUE(List.HasOthers);
  EXPECT_FALSE(List.OthersMayWrite);
  for (StringRef Kernel : {"rows", "variable", "assembled"}) {
    PointerUses Uses = usesOf(Kernel);
    EXPECT_TRUE(Uses.HasOthers) << Kernel.str();
    EXPECT_TRUE(Uses.OthersMayWrite) << Kernel.str();
    EXPECT_TRUE(Uses.needAddresses()) << Kernel.str();
  }
}

TEST(PointerUses, FunctionsThatAreNotInlinedHavePointersToo) {
  EXPECT_TRUE(usesOf("called").HasOthers);
  EXPECT_FALSE(usesOf("called").OthersMayWrite);
  EXPECT_FALSE(usesOf("helped").HasOthers);
  EXPECT_TRUE(usesOf("helped").Parameters[0].MayRead);
}

TEST(PointerUses, TellsWhatIsOnlyWritten) {
  PointerUses Uses = usesOf("direct");
  EXPECT_TRUE(Uses.Parameters[0].MayRead);
  EXPECT_FALSE(Uses.Parameters[1].MayRead);
  EXPECT_TRUE(usesOf("shuffled").Parameters[0].MayRead);
}

TEST(PointerUses, ValuesOfPointersMayMatter) {
  for (StringRef Kernel : {"kept", "compared", "aligned"}) {
    PointerUses Uses = usesOf(Kernel);
    EXPECT_FALSE(Uses.HasOthers) << Kernel.str();
    EXPECT_TRUE(Uses.needAddresses()) << Kernel.str();
  }
}

} // namespace
