//===- reference.cpp - q = A p and s = A^T r ------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
using namespace gpuprune::kernels;

static void compute(Problem &P) {
  int64_t N = P.size("n");
  auto A = P.input<float>("A"), Vector = P.input<float>("p"), Residual = P.input<float>("r");
  auto Q = P.output<float>("q"), S = P.output<float>("s");
  std::vector<double> Down(N);
  for (int64_t Row = 0; Row < N; ++Row) {
    double Along = 0;
    for (int64_t Column = 0; Column < N; ++Column) {
      Along += double(A[Row * N + Column]) * Vector[Column];
      Down[Column] += double(A[Row * N + Column]) * Residual[Row];
    }
    Q[Row] = float(Along);
  }
  for (int64_t Column = 0; Column < N; ++Column)
    S[Column] = float(Down[Column]);
}

// Float sums of 2046 terms: each addition rounds a partial sum of about 15 by up to 2^-21.
static const Reference Bicg("bicg", compute, {.Relative = 1e-5, .Absolute = 1e-4});
