//===- reference.cpp - two sweeps of Jacobi's method ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../Reference.h"

using namespace gpuprune::kernels;

template <typename Array> static void sweep(Array &A, Array &B, int64_t N) {
  for (int64_t Y = 0; Y < N; ++Y)
    for (int64_t X = 0; X < N; ++X) {
      int64_t I = Y * N + X;
      bool Inside = X > 0 && X < N - 1 && Y > 0 && Y < N - 1;
      B[I] = Inside ? 0.25f * (A[I - 1] + A[I + 1] + A[I - N] + A[I + N]) : float(A[I]);
    }
}

static void compute(Problem &P) {
  auto A = P.output<float>("a"), B = P.output<float>("b");
  sweep(A, B, P.size("n"));
  sweep(B, A, P.size("n"));
}

static const Reference Jacobi("sequences/jacobi", compute, {.Relative = 1e-6, .Absolute = 1e-6});
