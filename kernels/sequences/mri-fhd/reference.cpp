//===- reference.cpp - F^H d in chunks --------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../Reference.h"
#include <complex>
#include <numbers>

using namespace gpuprune::kernels;

static void compute(Problem &P) {
  int64_t Voxels = P.size("voxels"), Samples = P.size("samples");
  auto KX = P.input<float>("kx"), KY = P.input<float>("ky"), KZ = P.input<float>("kz");
  auto PhiReal = P.input<float>("phi_real"), PhiImag = P.input<float>("phi_imag");
  auto DReal = P.input<float>("d_real"), DImag = P.input<float>("d_imag");
  auto X = P.input<float>("x"), Y = P.input<float>("y"), Z = P.input<float>("z");
  auto RhoReal = P.output<float>("rho_real"), RhoImag = P.output<float>("rho_imag");
  auto Real = P.output<float>("real"), Imag = P.output<float>("imag");
  for (int64_t S = 0; S < Samples; ++S) {
    std::complex<double> Rho =
        std::conj(std::complex<double>(PhiReal[S], PhiImag[S])) * std::complex<double>(DReal[S], DImag[S]);
    RhoReal[S] = float(Rho.real());
    RhoImag[S] = float(Rho.imag());
  }
  for (int64_t V = 0; V < Voxels; ++V) {
    std::complex<double> Sum;
    for (int64_t S = 0; S < Samples; ++S) {
      double Turns = double(KX[S]) * X[V] + double(KY[S]) * Y[V] + double(KZ[S]) * Z[V];
      Sum += std::complex<double>(RhoReal[S], RhoImag[S]) * std::polar(1.0, 2 * std::numbers::pi * Turns);
    }
    Real[V] = float(Sum.real());
    Imag[V] = float(Sum.imag());
  }
}

static const Reference MriFhd("sequences/mri-fhd", compute, {.Relative = 1e-4, .Absolute = 2e-4});
