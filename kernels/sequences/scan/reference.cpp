//===- reference.cpp - prefix sums of a whole array ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../Reference.h"

using namespace gpuprune::kernels;

static void compute(Problem &P) {
  constexpr int64_t Block = 256;
  auto In = P.input<uint32_t>("in");
  auto Out = P.output<uint32_t>("out"), BlockSums = P.output<uint32_t>("block_sums"),
       Offsets = P.output<uint32_t>("offsets");
  int64_t N = P.size("n");
  uint32_t Sum = 0;
  for (int64_t First = 0; First < N; First += Block) {
    uint32_t Before = Sum;
    for (int64_t I = First; I < std::min(First + Block, N); ++I)
      Out[I] = Sum += In[I];
    Offsets[First / Block] = Before;
    BlockSums[First / Block] = Sum - Before;
  }
}

static const Reference Scan("sequences/scan", compute, {});
