//===- MatmulTest.cpp - A tiled kernel agrees with plain C++ bit by bit --===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../ExpectedTesting.h"
#include "HostTesting.h"
#include <cmath>

using namespace gpuprune;
using namespace gpuprune::test;

namespace {

struct MatmulCase {
  const char *Name;
  int Tile, N, DivideX, DivideY; ///< Grid extents are divided, as the launch contract says.
  const char *Pipeline;
};

void PrintTo(const MatmulCase &Case, std::ostream *OS) { *OS << Case.Name; }

class MatmulOnHost : public testing::TestWithParam<MatmulCase> {};

/// Every product is fused with its sum, in the order of k, as in the prepared kernel.
std::vector<float> matmulInCpp(llvm::ArrayRef<float> A, llvm::ArrayRef<float> B, int N) {
  std::vector<float> C(N * N);
  for (int Row = 0; Row < N; ++Row)
    for (int Column = 0; Column < N; ++Column) {
      float Sum = 0;
      for (int K = 0; K < N; ++K)
        Sum = std::fma(A[Row * N + K], B[K * N + Column], Sum);
      C[Row * N + Column] = Sum;
    }
  return C;
}

void fill(const GuardedBuffer &Buffer, unsigned Seed) {
  for (float &F : Buffer.as<float>()) {
    Seed = Seed * 1664525 + 1013904223; // Numerical Recipes' generator.
    F = float(Seed >> 8) / float(1 << 24) - 0.5f;
  }
}

TEST_P(MatmulOnHost, BitwiseAsInCpp) {
  const MatmulCase &Case = GetParam();
  auto Program =
      hostProgram("kernels/matmul/matmul.cu", {{"TILE=" + std::to_string(Case.Tile)}, Case.Pipeline, {}});
  ASSERT_TRUE(Program);
  int N = Case.N;
  GuardedMemory Memory;
  uint64_t Bytes = uint64_t(N) * N * sizeof(float);
  GuardedBuffer &A = llvm::cantFail(Memory.allocate("A", Bytes));
  GuardedBuffer &B = llvm::cantFail(Memory.allocate("B", Bytes));
  GuardedBuffer &C = llvm::cantFail(Memory.allocate("C", Bytes));
  fill(A, 1);
  fill(B, 2);

  HostLaunch Launch;
  Launch.Kernel = "matmul";
  Launch.Grid = {N / Case.Tile / Case.DivideX, N / Case.Tile / Case.DivideY};
  Launch.Block = {Case.Tile, Case.Tile};
  Launch.argument(A).argument(B).argument(C).argument(N);
  LaunchReport Report = launched(*Program, Launch);
  EXPECT_EQ(Report.Blocks, uint64_t(Launch.Grid.volume()));

  std::vector<float> Expected = matmulInCpp(A.as<float>(), B.as<float>(), N);
  EXPECT_EQ(std::memcmp(C.Data, Expected.data(), Bytes), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Variants, MatmulOnHost,
    testing::Values(MatmulCase{"AsWritten", 16, 96, 1, 1, ""}, MatmulCase{"SmallTile", 8, 64, 1, 1, ""},
                    MatmulCase{"Coarsened", 16, 128, 4, 2,
                               "gpu-block-coarsen<x=4;y=2;shared=interleaved>,gpu-unroll<loop=1;factor=4>"},
                    MatmulCase{"LargeTileUnrolled", 32, 128, 2, 2,
                               "gpu-block-coarsen<x=2;y=2;shared=blocked>,gpu-unroll<loop=1;factor=full>"}),
    [](const auto &Info) { return Info.param.Name; });

TEST(HostLaunchTest, RunsOnlyTheBlocksAskedFor) {
  auto Program = hostProgram("kernels/matmul/matmul.cu");
  ASSERT_TRUE(Program);
  GuardedMemory Memory;
  constexpr int N = 32;
  GuardedBuffer &A = llvm::cantFail(Memory.allocate("A", N * N * 4, 0));
  GuardedBuffer &C = llvm::cantFail(Memory.allocate("C", N * N * 4, 0xFF));
  HostLaunch Launch;
  Launch.Kernel = "matmul";
  Launch.Grid = {2, 2};
  Launch.Block = {16, 16};
  Launch.BlockSubset = {2}; // blockIdx (0, 1): rows from 16 on, columns below 16.
  Launch.argument(A).argument(A).argument(C).argument(N);
  EXPECT_EQ(launched(*Program, Launch).Blocks, 1u);
  for (int Row = 0; Row < N; ++Row)
    for (int Column = 0; Column < N; ++Column)
      EXPECT_EQ(std::isnan(C.as<float>()[Row * N + Column]), !(Row >= 16 && Column < 16));
}

TEST(HostLaunchTest, RefusesWhatCannotBeLaunched) {
  auto Program = hostProgram("kernels/matmul/matmul.cu");
  ASSERT_TRUE(Program);
  auto ErrorOf = [&](const HostLaunch &Launch) { return inputErrorOf(Program->launch(Launch).takeError()); };
  HostLaunch Launch;
  Launch.Kernel = "matrix";
  EXPECT_NE(ErrorOf(Launch).find("no kernel 'matrix'"), std::string::npos);
  Launch.Kernel = "matmul";
  EXPECT_NE(ErrorOf(Launch).find("0 arguments given, 4 expected"), std::string::npos);
  Launch.argument(1).argument(2).argument(3).argument(4);
  EXPECT_NE(ErrorOf(Launch).find("argument 0 has 4 bytes, expected 8"), std::string::npos);
  Launch.Block = {32, 33};
  EXPECT_NE(ErrorOf(Launch).find("a block of (32, 33, 1) cannot be launched"), std::string::npos);
  Launch.Block = {1, 1};
  Launch.Grid = {0, 1};
  EXPECT_NE(ErrorOf(Launch).find("a grid of (0, 1, 1) cannot be launched"), std::string::npos);
  Launch.Grid = {2, 1};
  Launch.BlockSubset = {2};
  EXPECT_NE(ErrorOf(Launch).find("block 2 is not in a grid of (2, 1, 1)"), std::string::npos);
}

} // namespace
