//===- reference.cpp - Sums of absolute differences -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
#include <cstdlib>

using namespace gpuprune::kernels;

namespace {

constexpr int64_t Search = 32;

struct Frame {
  const uint8_t *Pixels;
  int64_t Width;
  int at(int64_t Row, int64_t Column) const { return Pixels[Row * Width + Column]; }
};

/// Of the 4 x 4 pixels of \p A from (Row, Column) on, and those of \p B from (OtherRow, OtherColumn) on.
uint16_t difference(Frame A, int64_t Row, int64_t Column, Frame B, int64_t OtherRow, int64_t OtherColumn) {
  int Sum = 0;
  for (int64_t Pixel = 0; Pixel < 16; ++Pixel)
    Sum += std::abs(A.at(Row + Pixel / 4, Column + Pixel % 4) -
                    B.at(OtherRow + Pixel / 4, OtherColumn + Pixel % 4));
  return uint16_t(Sum);
}

void compute(Problem &P) {
  int64_t Width = P.size("width"), Height = P.size("height");
  auto Frames = P.input<uint8_t>("frames"), References = P.input<uint8_t>("references");
  auto Sads = P.output<uint16_t>("sads");
  size_t Next = 0;
  for (int64_t F = 0; F < P.size("frames"); ++F) {
    Frame Current{&Frames[F * Width * Height], Width};
    Frame Other{&References[F * (Width + Search) * (Height + Search)], Width + Search};
    for (int64_t Row = 0; Row < Height; Row += 4)
      for (int64_t Column = 0; Column < Width; Column += 4)
        for (int64_t Displacement = 0; Displacement < Search * Search; ++Displacement)
          Sads[Next++] = difference(Current, Row, Column, Other, Row + Displacement / Search,
                                    Column + Displacement % Search);
  }
}

const Reference Sad("sad", compute, {});

} // namespace
