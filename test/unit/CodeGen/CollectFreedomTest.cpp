//===- CollectFreedomTest.cpp - Freedom of the prepared kernel ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/Toolchain.h"
#include "gpuprune/CodeGen/VariantCompiler.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

namespace {

class CollectFreedom : public testing::Test {
protected:
  VariantRequest Request;

  CollectFreedom() { Request.CollectFreedom = true; }

  std::map<std::string, VariantKernel> kernels(const char *Source, std::vector<std::string> Flags = {}) {
    static const bool Initialized = (initializeCodeGen(), true);
    (void)Initialized;
    FrontendRequest Frontend{std::string(GPUPRUNE_SOURCE_DIR "/") + Source, std::move(Flags), {}, "sm_90"};
    std::string Bitcode = cantFail(compileToBitcode(cantFail(findToolchain()), Frontend));
    Request.Bitcode = Bitcode;
    return cantFail(compileVariant(Request)).Kernels;
  }
  /// Of the only kernel of \p Source.
  FloatingPointFreedom compile(const char *Source, std::vector<std::string> Flags = {}) {
    std::map<std::string, VariantKernel> Kernels = kernels(Source, std::move(Flags));
    EXPECT_EQ(Kernels.size(), 1u);
    return Kernels.begin()->second.Freedom;
  }
};

constexpr const char *Matmul = "kernels/matmul/matmul.cu";

TEST_F(CollectFreedom, IsWhatTheKernelWasBeforeItsLoopsWereUnrolled) {
  for (const char *Pipeline : {"", "gpu-unroll<loop=1;factor=full>,gpu-unroll<loop=0;factor=4>"}) {
    Request.Pipeline = Pipeline;
    FloatingPointFreedom Found = compile(Matmul);
    EXPECT_FALSE(Found.BetweenVariants);
    ASSERT_EQ(Found.Arguments.size(), 4u);
    for (unsigned Argument : {0u, 1u, 3u})
      EXPECT_EQ(Found.Arguments[Argument].BetweenLaunches, "");
    EXPECT_EQ(Found.Arguments[2].BetweenVariants, "");
    EXPECT_TRUE(StringRef(Found.Arguments[2].BetweenLaunches).starts_with("fma in a recurrence at line "))
        << Found.Arguments[2].BetweenLaunches;
  }
}

TEST_F(CollectFreedom, FastMathIsOpenBetweenVariants) {
  FloatingPointFreedom Found = compile(Matmul, {"-ffast-math"});
  ASSERT_EQ(Found.Arguments.size(), 4u);
  EXPECT_NE(StringRef(Found.Arguments[2].BetweenVariants).find("with fast-math flags at line"),
            StringRef::npos)
      << Found.Arguments[2].BetweenVariants;
}

TEST_F(CollectFreedom, ElementwiseKernelsAreBitwise) {
  for (const char *Source : {"kernels/saxpy/saxpy.cu", "kernels/saxpy-gridstride/saxpy-gridstride.cu",
                             "kernels/stencil2d-shared/stencil2d-shared.cu", "kernels/lu/lu.cu"})
    for (const ArgumentFreedom &A : compile(Source).Arguments)
      EXPECT_EQ(A.BetweenLaunches, "") << Source;
}

TEST_F(CollectFreedom, OneArgumentIsOpenOrNone) {
  enum Link { Fixed, Launches, Variants };
  struct Expectation {
    Link Open = Fixed;
    unsigned Argument = 0;
  };
  const std::map<std::string, Expectation> Expected = {{"layernorm", {Launches, 1}},
                                                       {"onlineSoftmax", {Launches, 1}},
                                                       {"warpSynchronous", {Launches, 1}},
                                                       {"registerTile", {Launches, 1}},
                                                       {"halfSum", {Launches, 1}},
                                                       {"atomicFloat", {Variants, 0}},
                                                       {"atomicHalf", {Variants, 0}},
                                                       {"atomicShared", {Variants, 1}},
                                                       {"compareAndAdd", {Variants, 0}},
                                                       {"compareAndMax", {}},
                                                       {"warpMax", {}},
                                                       {"arrayOfThread", {}},
                                                       {"structure", {}},
                                                       {"strides", {}},
                                                       {"copied", {}},
                                                       {"particles", {}}};
  std::map<std::string, VariantKernel> Kernels = kernels("test/unit/CodeGen/Inputs/freedom.cu");
  EXPECT_EQ(Kernels.size(), Expected.size());
  for (const auto &[Name, Open] : Expected) {
    const std::vector<ArgumentFreedom> &Found = Kernels[Name].Freedom.Arguments;
    ASSERT_GT(Found.size(), Open.Argument) << Name;
    for (unsigned I = 0; I < Found.size(); ++I) {
      bool IsOpen = I == Open.Argument && Open.Open != Fixed;
      EXPECT_EQ(!Found[I].BetweenLaunches.empty(), IsOpen) << Name << I << Found[I].BetweenLaunches;
      EXPECT_EQ(!Found[I].BetweenVariants.empty(), IsOpen && Open.Open == Variants)
          << Name << I << Found[I].BetweenVariants;
    }
  }
}

TEST_F(CollectFreedom, OnlyWhereItIsAskedForAndPrepared) {
  Request.Stock = true;
  EXPECT_TRUE(compile(Matmul).Arguments.empty());
  Request.Stock = Request.CollectFreedom = false;
  EXPECT_TRUE(compile(Matmul).Arguments.empty());
}

} // namespace
