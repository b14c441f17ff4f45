//===- reference.cpp - Five-point Jacobi step -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
using namespace gpuprune::kernels;

static void compute(Problem &P) {
  int64_t Columns = P.size("nx"), Rows = P.size("ny");
  auto In = P.input<float>("in");
  auto Out = P.output<float>("out");
  auto At = [&](int64_t Row, int64_t Column) { return double(In[Row * Columns + Column]); };
  for (int64_t R = 1; R + 1 < Rows; ++R)
    for (int64_t C = 1; C + 1 < Columns; ++C)
      Out[R * Columns + C] = float((At(R - 1, C) + At(R + 1, C) + At(R, C - 1) + At(R, C + 1)) / 4);
}

static const Reference Stencil("stencil2d-shared", compute, {.Relative = 1e-6, .Absolute = 1e-6});
