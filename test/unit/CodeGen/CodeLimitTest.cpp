//===- CodeLimitTest.cpp - Variants larger than the instruction cache ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/CompileReuse.h"
#include "gpuprune/CodeGen/Toolchain.h"
#include "gpuprune/CodeGen/VariantCompiler.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Process.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace gpuprune;
using namespace llvm;

namespace {

constexpr const char Unrolled[] = "gpu-unroll<loop=0;factor=full>";

class CodeLimitTest : public testing::Test {
protected:
  static void SetUpTestSuite() { initializeCodeGen(); }

  /// A loop of \p Trips iterations of at least eight instructions, behind \p Before statements of as many.
  static std::string bitcode(unsigned Trips, unsigned Before = 0) {
    TemporaryDirectory Folder = cantFail(TemporaryDirectory::create());
    std::string Path = Folder.file("kernel.cu"), Statements;
    for (unsigned I = 0; I != Before; ++I)
      Statements += formatv("  y[{0}] = x[{0} + i] * y[{0}];\n", I);
    cantFail(writeFile(Path, formatv(R"(__global__ void kernel(const float *x, volatile float *y) {{
  int i = threadIdx.x;
{0}  for (int k = 0; k < {1}; ++k)
    y[k * i] = y[k] * x[k + i] + y[i];
})",
                                     Statements, Trips)
                                 .str()));
    return cantFail(compileToBitcode(cantFail(findToolchain()), {Path, {}, {}, "sm_90"}));
  }

  static VariantRequest request(StringRef Bitcode, bool LimitsCode) {
    VariantRequest Request;
    Request.Bitcode = Bitcode;
    Request.Pipeline = Unrolled;
    Request.LimitsCode = LimitsCode;
    return Request;
  }

  static std::optional<TakenError> failureOf(const VariantRequest &Request, CompileReuse *Known = nullptr) {
    Expected<VariantCode> Code = compileVariant(Request, Known);
    return Code ? std::nullopt : std::optional<TakenError>(takeError(Code.takeError()));
  }
};

TEST_F(CodeLimitTest, WhatNoInstructionCacheHoldsIsNotCompiled) {
  std::string Large = bitcode(1200);
  std::optional<TakenError> Failure = failureOf(request(Large, /*LimitsCode=*/true));
  ASSERT_TRUE(Failure.has_value());
  EXPECT_EQ(Failure->Kind, ErrorKind::Resources);
  EXPECT_TRUE(StringRef(Failure->Text).contains("the instruction cache holds 8192")) << Failure->Text;
  EXPECT_FALSE(failureOf(request(Large, /*LimitsCode=*/false)).has_value());
}

TEST_F(CodeLimitTest, WhatFitsIsCompiled) {
  EXPECT_FALSE(failureOf(request(bitcode(100), /*LimitsCode=*/true)).has_value());
}

/// Its variants are as large as it has to be.
TEST_F(CodeLimitTest, AKernelThatIsLargeAsWrittenMayBecomeLarger) {
  std::string Written = bitcode(100, /*Before=*/1500);
  EXPECT_FALSE(failureOf(request(Written, /*LimitsCode=*/true)).has_value());
}

TEST_F(CodeLimitTest, WhatIsLeftOutIsNoOtherVariantsCode) {
  std::string Large = bitcode(1200), AlsoLarge = bitcode(1300);
  CompileReuse Known;
  EXPECT_TRUE(failureOf(request(Large, /*LimitsCode=*/true), &Known).has_value());
  EXPECT_TRUE(failureOf(request(AlsoLarge, /*LimitsCode=*/true), &Known).has_value());
  Expected<VariantCode> Made = compileVariant(request(Large, /*LimitsCode=*/false), &Known);
  ASSERT_TRUE(bool(Made)) << toString(Made.takeError());
  EXPECT_GT(Made->Ptx.size(), 1200u * 8);
}

} // namespace
