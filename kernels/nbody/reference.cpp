//===- reference.cpp - Accelerations of gravitating bodies ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
#include <cmath>

using namespace gpuprune::kernels;

static void compute(Problem &P) {
  int64_t N = P.size("n");
  double Softening = P.scalar<float>(3);
  auto Bodies = P.input<float>("bodies");
  auto Acceleration = P.output<float>("acceleration");
  for (int64_t I = 0; I < N; ++I) {
    double Sum[3] = {};
    for (int64_t J = 0; J < N; ++J) {
      double Delta[3], Squared = Softening;
      for (int D = 0; D < 3; ++D) {
        Delta[D] = double(Bodies[4 * J + D]) - Bodies[4 * I + D];
        Squared += Delta[D] * Delta[D];
      }
      double Strength = Bodies[4 * J + 3] / (Squared * std::sqrt(Squared));
      for (int D = 0; D < 3; ++D)
        Sum[D] += Delta[D] * Strength;
    }
    for (int D = 0; D < 3; ++D)
      Acceleration[4 * I + D] = float(Sum[D]);
    Acceleration[4 * I + 3] = 0;
  }
}

// Thousands of terms of both signs, each below 400.
static const Reference NBody("nbody", compute, {.Relative = 1e-4, .Absolute = 1e-2});
