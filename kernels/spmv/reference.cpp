//===- reference.cpp - Sparse matrix-vector product -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
using namespace gpuprune::kernels;

static void compute(Problem &P) {
  auto RowStart = P.input<int32_t>("row_start"), Columns = P.input<int32_t>("columns");
  auto Values = P.input<float>("values"), X = P.input<float>("x");
  auto Y = P.output<float>("y");
  for (size_t Row = 0; Row < Y.size(); ++Row) {
    double Sum = 0;
    for (int32_t I = RowStart[Row]; I < RowStart[Row + 1]; ++I)
      Sum += double(Values[I]) * X[Columns[I]];
    Y[Row] = float(Sum);
  }
}

static const Reference Spmv("spmv", compute, {.Relative = 1e-5, .Absolute = 1e-5});
