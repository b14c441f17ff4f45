//===- reference.cpp - Dense matrix multiplication ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
using namespace gpuprune::kernels;

static void compute(Problem &P) {
  int64_t N = P.size("n");
  auto A = P.input<float>("A"), B = P.input<float>("B");
  auto C = P.output<float>("C");
  std::vector<double> Row(N);
  for (int64_t I = 0; I < N; ++I) {
    std::fill(Row.begin(), Row.end(), 0.0);
    for (int64_t K = 0; K < N; ++K)
      for (int64_t J = 0; J < N; ++J)
        Row[J] += double(A[I * N + K]) * B[K * N + J];
    for (int64_t J = 0; J < N; ++J)
      C[I * N + J] = float(Row[J]);
  }
}

// The kernel adds up to 512 products below 1/4 in float.
static const Reference Matmul("matmul", compute, {.Relative = 1e-5, .Absolute = 1e-5});
