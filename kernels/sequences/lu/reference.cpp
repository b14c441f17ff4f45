//===- reference.cpp - LU decomposition -------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../Reference.h"

using namespace gpuprune::kernels;

static void compute(Problem &P) {
  int64_t N = P.size("n");
  auto A = P.output<float>("A");
  for (int64_t I = 0; I < N; ++I)
    A[I * N + I] = A[I * N + I] + float(N);
  for (int64_t K = 0; K + 1 < N; ++K) {
    for (int64_t Row = K + 1; Row < N; ++Row)
      A[Row * N + K] = A[Row * N + K] / A[K * N + K];
    for (int64_t Row = K + 1; Row < N; ++Row)
      for (int64_t Column = K + 1; Column < N; ++Column)
        A[Row * N + Column] = float(A[Row * N + Column] - double(A[Row * N + K]) * A[K * N + Column]);
  }
}

static const Reference Lu("sequences/lu", compute, {.Relative = 1e-5, .Absolute = 1e-5});
