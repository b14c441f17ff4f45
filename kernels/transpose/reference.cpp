//===- reference.cpp - Matrix transpose -----------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
using namespace gpuprune::kernels;

static void compute(Problem &P) {
  int64_t Width = P.size("width"), Height = P.size("height");
  auto In = P.input<float>("in");
  auto Out = P.output<float>("out");
  for (int64_t Row = 0; Row < Height; ++Row)
    for (int64_t Column = 0; Column < Width; ++Column)
      Out[Column * Height + Row] = In[Row * Width + Column];
}

static const Reference Transpose("transpose", compute, {});
