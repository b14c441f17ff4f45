//===- reference.cpp - B = A + u1 v1' + u2 v2' and two products with it --===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../Reference.h"

using namespace gpuprune::kernels;

static void compute(Problem &P) {
  auto A = P.input<float>("a"), U1 = P.input<float>("u1"), V1 = P.input<float>("v1"),
       U2 = P.input<float>("u2"), V2 = P.input<float>("v2"), Y = P.input<float>("y"), Z = P.input<float>("z");
  auto B = P.output<float>("b"), X = P.output<float>("x"), W = P.output<float>("w");
  int64_t N = P.size("n");
  for (int64_t Row = 0; Row < N; ++Row)
    for (int64_t Column = 0; Column < N; ++Column)
      B[Row * N + Column] =
          float(double(A[Row * N + Column]) + double(U1[Row]) * V1[Column] + double(U2[Row]) * V2[Column]);
  for (int64_t Column = 0; Column < N; ++Column) {
    double Sum = 0;
    for (int64_t Row = 0; Row < N; ++Row)
      Sum += double(B[Row * N + Column]) * Y[Row];
    X[Column] = float(1.5 * Sum + Z[Column]);
  }
  for (int64_t Row = 0; Row < N; ++Row) {
    double Sum = 0;
    for (int64_t Column = 0; Column < N; ++Column)
      Sum += double(B[Row * N + Column]) * X[Column];
    W[Row] = float(0.75 * Sum);
  }
}

static const Reference Gemver("sequences/gemver", compute, {.Relative = 1e-3, .Absolute = 1e-3});
