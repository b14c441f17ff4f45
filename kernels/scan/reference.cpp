//===- reference.cpp - Prefix sums within blocks --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
using namespace gpuprune::kernels;

static void compute(Problem &P) {
  int64_t N = P.size("n"), Block = P.size("BLOCK");
  auto In = P.input<uint32_t>("in");
  auto Out = P.output<uint32_t>("out"), BlockSums = P.output<uint32_t>("block_sums");
  for (int64_t I = 0; I < N; ++I) {
    uint32_t Before = I % Block == 0 ? 0 : Out[I - 1];
    Out[I] = Before + In[I];
    BlockSums[I / Block] = Out[I];
  }
}

static const Reference Scan("scan", compute, {});
