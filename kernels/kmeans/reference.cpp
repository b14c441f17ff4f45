//===- reference.cpp - The nearest centre of each point -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
#include <limits>

using namespace gpuprune::kernels;

// In double: no two centres are so nearly as far from a point, at the sizes to check, that float sees it
// otherwise.
static void compute(Problem &P) {
  int64_t N = P.size("n"), Clusters = P.size("clusters"), Features = P.size("features");
  auto Points = P.input<float>("points"), Centres = P.input<float>("centres");
  auto Membership = P.output<int32_t>("membership");
  for (int64_t I = 0; I < N; ++I) {
    double Shortest = std::numeric_limits<double>::infinity();
    for (int64_t C = 0; C < Clusters; ++C) {
      double Squared = 0;
      for (int64_t F = 0; F < Features; ++F) {
        double Difference = double(Points[F * N + I]) - Centres[C * Features + F];
        Squared += Difference * Difference;
      }
      if (Squared >= Shortest)
        continue;
      Shortest = Squared;
      Membership[I] = int32_t(C);
    }
  }
}

static const Reference KMeans("kmeans", compute, {});
