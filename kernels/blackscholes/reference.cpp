//===- reference.cpp - Black and Scholes's formula ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
#include <cmath>

using namespace gpuprune::kernels;

static double cumulativeNormal(double D) { return std::erfc(-D * std::sqrt(0.5)) / 2; }

static void compute(Problem &P) {
  double Rate = P.scalar<float>(6), Volatility = P.scalar<float>(7);
  auto Price = P.input<float>("price"), Strike = P.input<float>("strike"), Years = P.input<float>("years");
  auto Call = P.output<float>("call"), Put = P.output<float>("put");
  for (int64_t I = 0; I < P.size("n"); ++I) {
    double S = Price[I], X = Strike[I], T = Years[I];
    double Spread = Volatility * std::sqrt(T);
    double D1 = (std::log(S / X) + (Rate + Volatility * Volatility / 2) * T) / Spread, D2 = D1 - Spread;
    double Discounted = X * std::exp(-Rate * T);
    Call[I] = float(S * cumulativeNormal(D1) - Discounted * cumulativeNormal(D2));
    Put[I] = float(Discounted * cumulativeNormal(-D2) - S * cumulativeNormal(-D1));
  }
}

// The kernel's polynomial is right to 7.5e-8 (Abramowitz and Stegun), its terms are up to 100 and cancel.
static const Reference BlackScholes("blackscholes", compute, {.Relative = 1e-5, .Absolute = 5e-5});
