//===- reference.cpp - y = a x + y ----------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
using namespace gpuprune::kernels;

static void compute(Problem &P) {
  double A = P.scalar<float>(1);
  auto X = P.input<float>("x");
  auto Y = P.output<float>("y");
  for (int64_t I = 0; I < P.size("n"); ++I)
    Y[I] = float(A * X[I] + Y[I]);
}

static const Reference Saxpy("saxpy", compute, {.Relative = 1e-6, .Absolute = 1e-6});
