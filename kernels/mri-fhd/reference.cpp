//===- reference.cpp - F^H d, sample by sample ----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
#include <complex>
#include <numbers>

using namespace gpuprune::kernels;

static void compute(Problem &P) {
  int64_t Voxels = P.size("voxels"), Samples = P.size("nsamples");
  auto K = P.input<float>("samples"), Imaginary = P.input<float>("imaginary");
  auto X = P.input<float>("x"), Y = P.input<float>("y"), Z = P.input<float>("z");
  auto Real = P.output<float>("real"), Imag = P.output<float>("imag");
  for (int64_t V = 0; V < Voxels; ++V) {
    std::complex<double> Sum(Real[V], Imag[V]);
    for (int64_t S = 0; S < Samples; ++S) {
      double Turns = double(K[4 * S]) * X[V] + double(K[4 * S + 1]) * Y[V] + double(K[4 * S + 2]) * Z[V];
      std::complex<double> Signal(K[4 * S + 3], Imaginary[S]);
      Sum += Signal * std::polar(1.0, 2 * std::numbers::pi * Turns);
    }
    Real[V] = float(Sum.real());
    Imag[V] = float(Sum.imag());
  }
}

// __sinf and __cosf are off by up to 2^-21 in [-pi, pi] and more beyond; the phases here reach 3 pi.
static const Reference MriFhd("mri-fhd", compute, {.Relative = 1e-4, .Absolute = 2e-4});
