//===- reference.cpp - all-pairs shortest paths -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../Reference.h"
#include <algorithm>

using namespace gpuprune::kernels;

static void compute(Problem &P) {
  int64_t N = P.size("n");
  auto Distance = P.output<int32_t>("distance");
  for (int64_t K = 0; K < N; ++K)
    for (int64_t From = 0; From < N; ++From)
      for (int64_t To = 0; To < N; ++To)
        Distance[From * N + To] =
            std::min<int32_t>(Distance[From * N + To], Distance[From * N + K] + Distance[K * N + To]);
}

static const Reference FloydWarshall("sequences/floyd-warshall", compute, {});
