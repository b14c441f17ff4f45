//===- reference.cpp - A step of Gaussian elimination ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
using namespace gpuprune::kernels;

static void compute(Problem &P) {
  int64_t N = P.size("n"), K = P.size("k");
  auto A = P.output<float>("A");
  for (int64_t Row = K + 1; Row < N; ++Row)
    for (int64_t Column = K + 1; Column < N; ++Column)
      A[Row * N + Column] = float(A[Row * N + Column] - double(A[Row * N + K]) * A[K * N + Column]);
}

static const Reference Lu("lu", compute, {.Relative = 1e-6, .Absolute = 1e-6});
