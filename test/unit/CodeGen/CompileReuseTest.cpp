//===- CompileReuseTest.cpp - What is reused is what would have been made ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/CompileReuse.h"
#include "gpuprune/CodeGen/Toolchain.h"
#include "gpuprune/CodeGen/VariantCompiler.h"
#include "gpuprune/Support/Process.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace gpuprune;
using namespace llvm;

namespace {

/// A name, whether the kernel has parameters, bounds, a cluster or a helper before it in PTX, and the stems.
struct ReuseCase {
  const char *Name;
  const char *Source;
  std::vector<std::string> Stems;
};

void PrintTo(const ReuseCase &Case, std::ostream *OS) { *OS << Case.Name; }

class CompileReuseTest : public testing::TestWithParam<ReuseCase> {
protected:
  static void SetUpTestSuite() { initializeCodeGen(); }
};

std::string bitcodeOf(StringRef Source) {
  TemporaryDirectory Folder = cantFail(TemporaryDirectory::create());
  std::string Path = Folder.file("kernel.cu");
  cantFail(writeFile(Path, Source));
  return cantFail(compileToBitcode(cantFail(findToolchain()), {Path, {}, {}, "sm_90"}));
}

/// Stem and register options of one variant.
std::string pipeline(StringRef Stem, StringRef Options) {
  SmallVector<std::string, 2> Passes;
  if (!Stem.empty())
    Passes.push_back(Stem.str());
  if (!Options.empty())
    Passes.push_back(("gpu-registers<" + Options + ">").str());
  return join(Passes, ",");
}

const char *const RegisterOptions[] = {"max=64",
                                       "",
                                       "max=128",
                                       "threads=128;min-blocks=2",
                                       "max=40;threads=128",
                                       "threads=128",
                                       "hoist",
                                       "max=64;hoist",
                                       "spill=4;spill-to=local",
                                       "max=96;spill=4;spill-to=local",
                                       "threads=128;spill=4",
                                       "max=32;threads=128;spill=4"};

TEST_P(CompileReuseTest, ByteByByte) {
  std::string Bitcode = bitcodeOf(GetParam().Source);
  CompileReuse Known; // Of all stems: one must not be taken for another.
  for (const std::string &Stem : GetParam().Stems)
    for (StringRef Options : RegisterOptions) {
      VariantRequest Request;
      Request.Bitcode = Bitcode;
      Request.Pipeline = pipeline(Stem, Options);
      Request.KeepFinalBitcode = true;
      SCOPED_TRACE(Request.Pipeline);
      Expected<VariantCode> Alone = compileVariant(Request), Reusing = compileVariant(Request, &Known);
      ASSERT_EQ(bool(Alone), bool(Reusing));
      if (!Alone) {
        EXPECT_EQ(toString(Alone.takeError()), toString(Reusing.takeError()));
        continue;
      }
      EXPECT_GT(Alone->Ptx.size(), 200u);
      EXPECT_EQ(Alone->Ptx, Reusing->Ptx);
      ASSERT_EQ(Alone->Kernels.size(), Reusing->Kernels.size());
      for (auto &[Symbol, Kernel] : Alone->Kernels) {
        const VariantKernel &Other = Reusing->Kernels[Symbol];
        EXPECT_EQ(Kernel.Counts.Instr, Other.Counts.Instr);
        EXPECT_EQ(Kernel.Counts.Regions, Other.Counts.Regions);
        EXPECT_EQ(Kernel.SharedBytes, Other.SharedBytes);
        EXPECT_EQ(Kernel.Placed, Other.Placed);
      }
    }
  EXPECT_GT(Known.reused(), GetParam().Stems.size() * std::size(RegisterOptions) / 2);
}

const char *const Product = R"(
__global__ void kernel(const float *A, const float *B, float *C, int n) {
  int row = blockIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += A[row * n + k] * B[k * n + col];
  C[row * n + col] = sum;
})";

/// Called, not inlined, so that its code stands before the kernel's.
/// Whose threads execute more or less, as the launch is.
const char *const Strided = R"(
__global__ void kernel(const float *A, float *B) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 65536; i += gridDim.x * blockDim.x)
    sum += A[i];
  B[blockIdx.x * blockDim.x + threadIdx.x] = sum;
})";

TEST(CompileReuse, CountsAreOfTheLaunch) {
  initializeCodeGen();
  std::string Bitcode = bitcodeOf(Strided);
  CompileReuse Known;
  auto Compiled = [&](Dim3 Grid, Dim3 Block, CompileReuse *Reuse) {
    VariantRequest Request;
    Request.Bitcode = Bitcode;
    Request.Kernel = "kernel";
    Request.Launch.Grid = Grid;
    Request.Launch.Block = Block;
    VariantCode Code = cantFail(compileVariant(Request, Reuse));
    return std::pair(Code.Ptx, Code.Kernels[Code.Symbol].Counts.Instr);
  };
  const std::pair<Dim3, Dim3> Launches[] = {
      {{64, 1, 1}, {128, 1, 1}}, {{64, 1, 1}, {256, 1, 1}}, {{32, 1, 1}, {256, 1, 1}}};
  for (auto [Grid, Block] : Launches)
    EXPECT_EQ(Compiled(Grid, Block, &Known), Compiled(Grid, Block, nullptr));
  EXPECT_GT(Compiled({64, 1, 1}, {128, 1, 1}, &Known).second,
            Compiled({64, 1, 1}, {256, 1, 1}, &Known).second);
  EXPECT_EQ(Known.reused(), 2u /* -O3 of the other launches */ + 1 /* PTX of as many threads */ + 2 * 2);
}

TEST(CompileReuse, ForgetsWhatIsNotUsed) {
  CompileReuse Known(/*Bytes=*/2000);
  Known.keepOptimized("first", std::string(600, 'a'));
  Known.keepOptimized("second", std::string(600, 'b'));
  EXPECT_EQ(Known.optimized("first"), nullptr);
  ASSERT_NE(Known.optimized("second"), nullptr);
  EXPECT_EQ(*Known.keepOptimized("second", "another thread's"), std::string(600, 'b'));
  EXPECT_EQ(Known.reused(), 1u);
}

const char *const WithHelper = R"(
__device__ __noinline__ float half_of(float x, const float *T) { return x * 0.5f + T[threadIdx.x]; }
__global__ void kernel(const float *A, float *B, const float *T) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  B[i] = half_of(A[i], T);
})";

const char *const WithBounds = R"(
__global__ void __launch_bounds__(256, 3) kernel(const float *A, float *B) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  B[i] = A[i] + A[i + 1];
})";

const char *const WithoutParameters = R"(
__device__ float Table[1024];
__global__ void kernel() { Table[threadIdx.x] += 1; })";

const char *const WithCluster = R"(
__global__ void __cluster_dims__(2, 1, 1) kernel(const float *A, float *B) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  B[i] = A[i] + 1;
})";

/// Bounds are not exchanged here, everything else is as above.
const char *const TwoKernels = R"(
__global__ void kernel(float *A) { A[threadIdx.x] += 1; }
__global__ void other(float *A) { A[threadIdx.x] *= 2; })";

INSTANTIATE_TEST_SUITE_P(
    Kernels, CompileReuseTest,
    testing::Values(ReuseCase{"Product",
                              Product,
                              {"", "gpu-unroll<loop=0;factor=4>", "gpu-unroll<loop=0;factor=2>",
                               "gpu-block-coarsen<x=2>,gpu-unroll<loop=0;factor=4>"}},
                    ReuseCase{"WithHelper", WithHelper, {"", "gpu-block-coarsen<x=2>"}},
                    ReuseCase{"WithBounds", WithBounds, {"", "gpu-block-coarsen<x=2>"}},
                    ReuseCase{"WithoutParameters", WithoutParameters, {""}},
                    ReuseCase{"WithCluster", WithCluster, {""}}, ReuseCase{"TwoKernels", TwoKernels, {""}}),
    [](const auto &Info) { return Info.param.Name; });

} // namespace
