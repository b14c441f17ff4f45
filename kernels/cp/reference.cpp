//===- reference.cpp - Coulombic potential on a plane ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
#include <cmath>

using namespace gpuprune::kernels;

static void compute(Problem &P) {
  int64_t Width = P.size("width"), Atoms = P.size("natoms");
  double Spacing = P.scalar<float>(2), Z = P.scalar<float>(3);
  auto Atom = P.input<float>("atoms");
  auto Energy = P.output<float>("energy");
  for (size_t I = 0; I < Energy.size(); ++I) {
    double X = Spacing * (I % Width), Y = Spacing * (I / Width), Potential = 0;
    for (int64_t A = 0; A < Atoms; ++A)
      Potential += Atom[4 * A + 3] / std::hypot(X - Atom[4 * A], Y - Atom[4 * A + 1], Z - Atom[4 * A + 2]);
    Energy[I] = float(Energy[I] + Potential);
  }
}

static const Reference Cp("cp", compute, {.Relative = 1e-5, .Absolute = 1e-5});
