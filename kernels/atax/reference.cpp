//===- reference.cpp - y = A^T t ------------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
using namespace gpuprune::kernels;

static void compute(Problem &P) {
  int64_t M = P.size("m"), N = P.size("n");
  auto A = P.input<float>("A"), T = P.input<float>("t");
  auto Y = P.output<float>("y");
  std::vector<double> Sums(N);
  for (int64_t Row = 0; Row < M; ++Row)
    for (int64_t Column = 0; Column < N; ++Column)
      Sums[Column] += double(A[Row * N + Column]) * T[Row];
  for (int64_t Column = 0; Column < N; ++Column)
    Y[Column] = float(Sums[Column]);
}

static const Reference Atax("atax", compute, {.Relative = 1e-5, .Absolute = 1e-5});
