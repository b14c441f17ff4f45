//===- reference.cpp - y = alpha A x + beta y -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
using namespace gpuprune::kernels;

static void compute(Problem &P) {
  int64_t M = P.size("m"), N = P.size("n");
  double Alpha = P.scalar<float>(2), Beta = P.scalar<float>(5);
  auto A = P.input<float>("A"), X = P.input<float>("x");
  auto Y = P.output<float>("y");
  for (int64_t Row = 0; Row < M; ++Row) {
    double Sum = 0;
    for (int64_t Column = 0; Column < N; ++Column)
      Sum += double(A[Row * N + Column]) * X[Column];
    Y[Row] = float(Alpha * Sum + Beta * Y[Row]);
  }
}

static const Reference Sgemv("sgemv", compute, {.Relative = 1e-5, .Absolute = 1e-5});
