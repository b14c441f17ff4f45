//===- sad.cpp - Sums of absolute differences on a CPU --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All horizontal displacements of a row at a time, which are side by side in memory. AVX2 has an instruction
// for the sums of four pixels.
//
//===----------------------------------------------------------------------===//
#include "CpuVersion.h"
#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace {

constexpr int Search = 32;
constexpr int Behind = 16; ///< Bytes that may be read behind the last frame, and do not matter.

/// Of the 4 x 4 pixels from \p Current on, and those from \p Other + Dx on, for each Dx below Search.
#ifdef __AVX2__
__m256i twoParts(const uint8_t *From) {
  return _mm256_loadu2_m128i((const __m128i *)(From + 8), (const __m128i *)From);
}

void rowOfSums(const uint8_t *Current, int Stride, const uint8_t *Other, int OtherStride, uint16_t *Into) {
  __m256i Left = {}, Right = {};
  for (int Y = 0; Y < 4; ++Y, Current += Stride, Other += OtherStride) {
    int32_t Pixels;
    std::memcpy(&Pixels, Current, sizeof Pixels);
    __m256i Same = _mm256_set1_epi32(Pixels);
    Left = _mm256_add_epi16(Left, _mm256_mpsadbw_epu8(twoParts(Other), Same, 0));
    Right = _mm256_add_epi16(Right, _mm256_mpsadbw_epu8(twoParts(Other + 16), Same, 0));
  }
  std::memcpy(Into, &Left, sizeof Left);
  std::memcpy(Into + 16, &Right, sizeof Right);
}
#else
void rowOfSums(const uint8_t *Current, int Stride, const uint8_t *Other, int OtherStride, uint16_t *Into) {
  uint16_t Sum[Search] = {};
  for (int Y = 0; Y < 4; ++Y)
    for (int X = 0; X < 4; ++X)
      for (int Dx = 0; Dx < Search; ++Dx) {
        uint8_t A = Current[Y * Stride + X], B = Other[Y * OtherStride + X + Dx];
        Sum[Dx] += uint8_t(std::max(A, B) - std::min(A, B));
      }
  std::memcpy(Into, Sum, sizeof Sum);
}
#endif

struct Sad {
  struct Size {
    int Width = 176, Height = 144, Frames = 64;
  };
  explicit Sad(Size S)
      : S(S), Frames(cpu::uniformBytes(S.Frames * S.Width * S.Height, 1)),
        References(cpu::uniformBytes(S.Frames * (S.Width + Search) * (S.Height + Search) + Behind, 2)),
        Sads(int64_t(S.Frames) * (S.Width / 4) * (S.Height / 4) * Search * Search) {}

  std::string text() const {
    return "width=" + std::to_string(S.Width) + " height=" + std::to_string(S.Height) +
           " frames=" + std::to_string(S.Frames);
  }
  int64_t parts() const { return int64_t(S.Frames) * (S.Height / 4); }

  /// A row of blocks.
  void compute(int64_t Part) {
    int Across = S.Width / 4, Stride = S.Width + Search;
    int64_t Frame = Part / (S.Height / 4), Top = Part % (S.Height / 4) * 4;
    for (int Block = 0; Block < Across; ++Block)
      for (int Dy = 0; Dy < Search; ++Dy)
        rowOfSums(&Frames[(Frame * S.Height + Top) * S.Width + 4 * Block], S.Width,
                  &References[(Frame * (S.Height + Search) + Top + Dy) * Stride + 4 * Block], Stride,
                  &Sads[((Part * Across + Block) * Search + Dy) * Search]);
  }

  bool isRight() const {
    int Across = S.Width / 4, Down = S.Height / 4, Stride = S.Width + Search;
    for (int64_t I = 0; I < int64_t(Sads.size()); ++I) {
      int64_t Dx = I % Search, Dy = I / Search % Search, Block = I / (Search * Search);
      int64_t Column = Block % Across * 4, Row = Block / Across % Down * 4, Frame = Block / (Across * Down);
      int Sum = 0;
      for (int Pixel = 0; Pixel < 16; ++Pixel) {
        int64_t Y = Row + Pixel / 4, X = Column + Pixel % 4;
        Sum += std::abs(Frames[(Frame * S.Height + Y) * S.Width + X] -
                        References[(Frame * (S.Height + Search) + Y + Dy) * Stride + X + Dx]);
      }
      if (Sads[I] != Sum)
        return false;
    }
    return true;
  }

private:
  Size S;
  std::vector<uint8_t> Frames, References;
  std::vector<uint16_t> Sads;
};

} // namespace

int main(int Argc, char **Argv) {
  return cpu::run<Sad>(Argc, Argv, {.Width = 32, .Height = 16, .Frames = 3});
}
