//===- reference.cpp - the sum of an array -------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../Reference.h"

using namespace gpuprune::kernels;

static void compute(Problem &P) {
  constexpr int64_t Block = 256;
  auto Data = P.input<float>("data");
  auto Partial = P.output<float>("partial"), Total = P.output<float>("total");
  double All = 0;
  for (int64_t First = 0, N = P.size("n"); First < N; First += Block) {
    double Sum = 0;
    for (int64_t I = First; I < std::min(First + Block, N); ++I)
      Sum += Data[I];
    Partial[First / Block] = float(Sum);
    All += Sum;
  }
  Total[0] = float(All);
}

static const Reference Reduction("sequences/reduction", compute, {.Relative = 1e-5});
