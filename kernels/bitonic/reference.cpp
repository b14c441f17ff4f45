//===- reference.cpp - A compare-exchange step of a bitonic sort ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
#include <algorithm>

using namespace gpuprune::kernels;

// Parts of length k ascend and descend in turn; within a part the lower and upper halves of each stretch of 2
// j keys are put in order, element by element.
static void compute(Problem &P) {
  int64_t N = P.size("n"), J = P.size("j"), K = P.size("k");
  auto Keys = P.output<uint32_t>("keys");
  for (int64_t Stretch = 0; Stretch < N; Stretch += 2 * J)
    for (int64_t I = Stretch; I < Stretch + J; ++I) {
      uint32_t Low = std::min(Keys[I], Keys[I + J]), High = std::max(Keys[I], Keys[I + J]);
      bool Ascending = Stretch / K % 2 == 0;
      Keys[I] = Ascending ? Low : High;
      Keys[I + J] = Ascending ? High : Low;
    }
}

static const Reference Bitonic("bitonic", compute, {});
