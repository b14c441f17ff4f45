//===- reference.cpp - sweeps of Jacobi's method ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../Reference.h"
#include <vector>

using namespace gpuprune::kernels;

static void compute(Problem &P) {
  int64_t N = P.size("n"), Sweeps = P.size("sweeps");
  auto Now = P.output<float>("now"), Next = P.output<float>("next");
  // After the last swap, next is what the last sweep has read.
  std::vector<float> From(N * N), To(N * N);
  for (int64_t I = 0; I < N * N; ++I)
    From[I] = Now[I];
  for (int64_t T = 0; T < Sweeps; ++T) {
    for (int64_t Y = 0; Y < N; ++Y)
      for (int64_t X = 0; X < N; ++X) {
        int64_t I = Y * N + X;
        bool Inside = X > 0 && X < N - 1 && Y > 0 && Y < N - 1;
        To[I] = Inside ? 0.25f * (From[I - 1] + From[I + 1] + From[I - N] + From[I + N]) : From[I];
      }
    std::swap(From, To);
  }
  for (int64_t I = 0; I < N * N; ++I) {
    Now[I] = From[I];
    Next[I] = To[I];
  }
}

static const Reference JacobiPingPong("sequences/jacobi-pingpong", compute,
                                      {.Relative = 1e-6, .Absolute = 1e-5});
