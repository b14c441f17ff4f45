//===- reference.cpp - Sums of what each block visits ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
using namespace gpuprune::kernels;

// Block b visits the elements i with (i / BLOCK) mod blocks = b.
static void compute(Problem &P) {
  int64_t N = P.size("n"), Block = P.size("BLOCK"), Blocks = P.size("blocks");
  auto Data = P.input<float>("data");
  auto Partial = P.output<float>("partial");
  std::vector<double> Sums(Blocks);
  for (int64_t I = 0; I < N; ++I)
    Sums[I / Block % Blocks] += Data[I];
  for (int64_t B = 0; B < Blocks; ++B)
    Partial[B] = float(Sums[B]);
}

static const Reference Reduction("reduction-shuffle", compute, {.Relative = 1e-5, .Absolute = 1e-6});
