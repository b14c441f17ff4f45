//===- reference.cpp - Shortest paths through one more node ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
#include <algorithm>

using namespace gpuprune::kernels;

static void compute(Problem &P) {
  int64_t N = P.size("n"), K = P.size("k");
  auto Before = P.Buffers.at("distance").Bytes;
  const int32_t *Old = reinterpret_cast<const int32_t *>(Before.data());
  auto Distance = P.output<int32_t>("distance");
  for (int64_t From = 0; From < N; ++From)
    for (int64_t To = 0; To < N; ++To)
      Distance[From * N + To] = std::min(Old[From * N + To], Old[From * N + K] + Old[K * N + To]);
}

static const Reference FloydWarshall("floyd-warshall", compute, {});
