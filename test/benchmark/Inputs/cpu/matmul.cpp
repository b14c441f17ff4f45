//===- matmul.cpp - Matrix multiplication on a CPU -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks of both matrices are packed for the second-level cache, and a tile of results stays in registers.
//
//===----------------------------------------------------------------------===//
#include "CpuVersion.h"

namespace {

constexpr int Block = 256; ///< Divides n.
constexpr int Columns = 2 * cpu::Lanes;
#ifdef __AVX512F__
constexpr int Rows = 8; ///< 16 registers of sums of 32.
#else
constexpr int Rows = 2; ///< 8 registers of 16, if they have 8 lanes.
#endif

struct Packed {
  alignas(64) float A[Block / Rows][Block][Rows];
  alignas(64) float B[Block / Columns][Block][Columns];
};

/// C += A * B, of Rows x Columns.
void addTile(const float (*A)[Rows], const float (*B)[Columns], float *C, int N) {
  cpu::Vec Sum[Rows][2] = {};
  for (int K = 0; K < Block; ++K) {
    cpu::Vec Left = cpu::load(B[K]), Right = cpu::load(B[K] + cpu::Lanes);
#pragma GCC unroll 8
    for (int R = 0; R < Rows; ++R) {
      Sum[R][0] += A[K][R] * Left;
      Sum[R][1] += A[K][R] * Right;
    }
  }
#pragma GCC unroll 8
  for (int R = 0; R < Rows; ++R)
    for (int H = 0; H < 2; ++H) {
      float *At = C + int64_t(R) * N + H * cpu::Lanes;
      cpu::store(At, cpu::load(At) + Sum[R][H]);
    }
}

struct Matmul {
  struct Size {
    int N = 4096;
  };
  explicit Matmul(Size S)
      : N(S.N), A(cpu::uniform(int64_t(N) * N, -0.5, 0.5, 1)), B(cpu::uniform(int64_t(N) * N, -0.5, 0.5, 2)),
        C(int64_t(N) * N) {}

  std::string text() const { return "n=" + std::to_string(N); }
  int64_t parts() const { return int64_t(N / Block) * (N / Block); }

  /// A block of C.
  void compute(int64_t Part) {
    static thread_local Packed P;
    int64_t Row = Part / (N / Block) * Block, Column = Part % (N / Block) * Block;
    float *Into = &C[Row * N + Column];
    for (int R = 0; R < Block; ++R)
      std::fill_n(Into + int64_t(R) * N, Block, 0.0f);
    for (int64_t K = 0; K < N; K += Block) {
      pack(P, &A[Row * N + K], &B[K * N + Column]);
      for (int J = 0; J < Block / Columns; ++J)
        for (int I = 0; I < Block / Rows; ++I)
          addTile(P.A[I], P.B[J], Into + int64_t(I) * Rows * N + J * Columns, N);
    }
  }

  bool isRight() const {
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < N; ++J) {
        double Sum = 0;
        for (int K = 0; K < N; ++K)
          Sum += double(A[I * N + K]) * B[K * N + J];
        if (!cpu::isNear(C[I * N + J], Sum, 1e-5))
          return false;
      }
    return true;
  }

private:
  void pack(Packed &P, const float *FromA, const float *FromB) const {
    for (int R = 0; R < Block; ++R)
      for (int K = 0; K < Block; ++K)
        P.A[R / Rows][K][R % Rows] = FromA[int64_t(R) * N + K];
    for (int K = 0; K < Block; ++K)
      for (int J = 0; J < Block / Columns; ++J)
        std::memcpy(P.B[J][K], FromB + int64_t(K) * N + J * Columns, sizeof P.B[J][K]);
  }

  int N;
  std::vector<float> A, B, C;
};

} // namespace

int main(int Argc, char **Argv) { return cpu::run<Matmul>(Argc, Argv, {.N = 512}); }
