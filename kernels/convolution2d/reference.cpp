//===- reference.cpp - Convolution with a small filter --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
using namespace gpuprune::kernels;

static void compute(Problem &P) {
  constexpr int64_t Radius = 3, Diameter = 7;
  int64_t Width = P.size("width"), Height = P.size("height");
  auto Filter = P.input<float>("filter"), In = P.input<float>("in");
  auto Out = P.output<float>("out");
  auto Pixel = [&](int64_t Row, int64_t Column) {
    bool Inside = Row >= 0 && Row < Height && Column >= 0 && Column < Width;
    return Inside ? double(In[Row * Width + Column]) : 0;
  };
  for (int64_t Row = 0; Row < Height; ++Row)
    for (int64_t Column = 0; Column < Width; ++Column) {
      double Sum = 0;
      for (int64_t I = 0; I < Diameter * Diameter; ++I)
        Sum += Filter[I] * Pixel(Row + I / Diameter - Radius, Column + I % Diameter - Radius);
      Out[Row * Width + Column] = float(Sum);
    }
}

static const Reference Convolution("convolution2d", compute, {.Relative = 1e-5, .Absolute = 1e-6});
