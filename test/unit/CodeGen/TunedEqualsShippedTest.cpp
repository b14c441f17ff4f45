//===- TunedEqualsShippedTest.cpp - The tool's PTX is that of clang++ with the plugin ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ShippedPtx.h"
#include "gpuprune/CodeGen/VariantCompiler.h"
#include "gtest/gtest.h"

using namespace gpuprune;
using namespace llvm;

namespace {

const char *const Stock = nullptr;

struct ShippedCase {
  const char *Name;
  const char *Source;   ///< Below the source folder.
  const char *Pipeline; ///< Stock: no plugin.
  std::vector<std::string> Flags = {};
};

void PrintTo(const ShippedCase &Case, std::ostream *OS) { *OS << Case.Name; }

class TunedEqualsShipped : public testing::TestWithParam<ShippedCase> {
protected:
  static void SetUpTestSuite() { initializeCodeGen(); }
};

std::string sourcePath(const ShippedCase &Case) { return std::string(GPUPRUNE_SOURCE_DIR "/") + Case.Source; }

TEST_P(TunedEqualsShipped, ByteByByte) {
  const ShippedCase &Case = GetParam();
  Toolchain Tools = cantFail(findToolchain());
  FrontendRequest Frontend{sourcePath(Case), Case.Flags, {}, "sm_90"};
  Expected<std::string> Bitcode = compileToBitcode(Tools, Frontend);
  ASSERT_TRUE(bool(Bitcode)) << toString(Bitcode.takeError());

  VariantRequest Request;
  Request.Bitcode = *Bitcode;
  Request.Stock = Case.Pipeline == Stock;
  Request.FuseMultiplyAdds = fusesMultiplyAdds(Case.Flags);
  Request.Pipeline = Case.Pipeline ? Case.Pipeline : "";
  Request.CollectLoops = Request.CollectFreedom = true;
  Expected<VariantCode> Tuned = compileVariant(Request);
  ASSERT_TRUE(bool(Tuned)) << toString(Tuned.takeError());

  Expected<std::string> Shipped = ptxOfClang(Tools, Frontend, Case.Pipeline);
  ASSERT_TRUE(bool(Shipped)) << toString(Shipped.takeError());
  EXPECT_GT(Shipped->size(), 500u);
  EXPECT_TRUE(Tuned->Ptx == *Shipped) << "tuned:\n" << Tuned->Ptx << "\nshipped:\n" << *Shipped;
}

constexpr const char *Matmul = "kernels/matmul/matmul.cu";
constexpr const char *Reduce = "test/unit/CodeGen/Inputs/reduce.cu";
constexpr const char *Potential = "test/unit/CodeGen/Inputs/potential.cu";
constexpr const char *Templates = "test/unit/CodeGen/Inputs/templates.cu";

INSTANTIATE_TEST_SUITE_P(
    Kernels, TunedEqualsShipped,
    testing::Values(
        ShippedCase{"MatmulStock", Matmul, Stock}, ShippedCase{"MatmulPrepared", Matmul, ""},
        ShippedCase{"MatmulCoarsened", Matmul,
                    "gpu-block-coarsen<x=8;y=4;shared=interleaved>,gpu-unroll<loop=1;factor=4>,gpu-registers<"
                    "max=96>"},
        ShippedCase{"MatmulBlocked", Matmul, "gpu-block-coarsen<x=2;y=2>,gpu-unroll<loop=1;factor=full>"},
        ShippedCase{"MatmulPrefetched", Matmul,
                    "gpu-block-coarsen<x=4;y=4;shared=interleaved>,gpu-block-coarsen<x=2;y=2>,gpu-prefetch<"
                    "loop=0>,gpu-unroll<loop=1;factor=full>"},
        ShippedCase{"MatmulCopiedAhead", Matmul,
                    "gpu-block-coarsen<x=2;y=2>,gpu-prefetch<loop=0;distance=2;to=shared-async>"},
        ShippedCase{"ReduceStock", Reduce, Stock}, ShippedCase{"ReducePrepared", Reduce, ""},
        ShippedCase{"ReduceUnrolled", Reduce, "gpu-unroll<loop=0;factor=4>,gpu-registers<max=40>"},
        ShippedCase{"PotentialStock", Potential, Stock}, ShippedCase{"PotentialPrepared", Potential, ""},
        ShippedCase{"PotentialCoarsened", Potential, "gpu-block-coarsen<x=4>,gpu-unroll<loop=0;factor=2>"},
        ShippedCase{"PotentialUnfusedStock", Potential, Stock, {"-ffp-contract=off"}},
        ShippedCase{"PotentialUnfusedPrepared", Potential, "", {"-ffp-contract=off"}},
        ShippedCase{"TemplatesStock", Templates, Stock}, ShippedCase{"TemplatesPrepared", Templates, ""},
        ShippedCase{"TemplatesOneKernel", Templates, "gpu-block-coarsen<x=2;kernel=axpyMany>"}),
    [](const auto &Info) { return Info.param.Name; });

} // namespace
