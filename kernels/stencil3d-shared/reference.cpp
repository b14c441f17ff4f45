//===- reference.cpp - Seven-point heat step ------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
using namespace gpuprune::kernels;

static void compute(Problem &P) {
  int64_t Nx = P.size("nx"), Ny = P.size("ny"), Nz = P.size("nz");
  double Own = P.scalar<float>(5), Other = P.scalar<float>(6);
  auto In = P.input<float>("in");
  auto Out = P.output<float>("out");
  auto At = [&](int64_t Z, int64_t Y, int64_t X) { return double(In[(Z * Ny + Y) * Nx + X]); };
  for (int64_t Z = 1; Z + 1 < Nz; ++Z)
    for (int64_t Y = 1; Y + 1 < Ny; ++Y)
      for (int64_t X = 1; X + 1 < Nx; ++X) {
        double Around = At(Z - 1, Y, X) + At(Z + 1, Y, X) + At(Z, Y - 1, X) + At(Z, Y + 1, X) +
                        At(Z, Y, X - 1) + At(Z, Y, X + 1);
        Out[(Z * Ny + Y) * Nx + X] = float(Own * At(Z, Y, X) + Other * Around);
      }
}

static const Reference Stencil("stencil3d-shared", compute, {.Relative = 1e-6, .Absolute = 1e-6});
