//===- reference.cpp - Sums of consecutive parts --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
#include <algorithm>

using namespace gpuprune::kernels;

static void compute(Problem &P) {
  int64_t N = P.size("n"), Block = P.size("BLOCK");
  auto Data = P.input<float>("data");
  auto Partial = P.output<float>("partial");
  for (int64_t First = 0; First < N; First += Block) {
    double Sum = 0;
    for (int64_t I = First; I < std::min(N, First + Block); ++I)
      Sum += Data[I];
    Partial[First / Block] = float(Sum);
  }
}

static const Reference Reduction("reduction-shared", compute, {.Relative = 1e-6, .Absolute = 1e-6});
