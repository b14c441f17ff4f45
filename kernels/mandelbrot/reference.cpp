//===- reference.cpp - Escape times ---------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
using namespace gpuprune::kernels;

// In float and without fused multiply-adds, as the kernel: near the border of the set the last bit decides.
#pragma STDC FP_CONTRACT OFF

static int32_t escapeTime(float Cx, float Cy, int32_t Limit) {
  float X = 0, Y = 0;
  for (int32_t Step = 0; Step < Limit; ++Step) {
    float Xx = X * X, Yy = Y * Y;
    if (!(Xx + Yy <= 4))
      return Step;
    float TwiceX = 2 * X, Real = Xx - Yy;
    X = Real + Cx;
    float Imaginary = TwiceX * Y;
    Y = Imaginary + Cy;
  }
  return Limit;
}

/// Point \p Index of \p Count on [From, To).
static float coordinate(float From, float To, int64_t Index, int64_t Count) {
  float Extent = To - From;
  float Scaled = Extent * float(Index);
  return From + Scaled / float(Count);
}

static void compute(Problem &P) {
  int64_t Width = P.size("width"), Height = P.size("height");
  auto Steps = P.output<int32_t>("steps");
  for (int64_t Row = 0; Row < Height; ++Row)
    for (int64_t Column = 0; Column < Width; ++Column)
      Steps[Row * Width + Column] =
          escapeTime(coordinate(P.scalar<float>(3), P.scalar<float>(4), Column, Width),
                     coordinate(P.scalar<float>(5), P.scalar<float>(6), Row, Height), P.size("limit"));
}

static const Reference Mandelbrot("mandelbrot", compute, {});
