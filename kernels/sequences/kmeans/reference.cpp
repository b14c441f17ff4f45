//===- reference.cpp - iterations of k-means --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../Reference.h"
#include <limits>

using namespace gpuprune::kernels;

namespace {
constexpr float One = 65536;

struct KMeans {
  int64_t N, Clusters, Features;
  std::span<const float> Points;
  Output<float> Centres;
  Output<int32_t> Membership;
  Output<uint32_t> Sums, Sizes;

  void assign() {
    for (int64_t I = 0; I < N; ++I) {
      double Shortest = std::numeric_limits<double>::infinity();
      for (int64_t C = 0; C < Clusters; ++C) {
        double Squared = 0;
        for (int64_t F = 0; F < Features; ++F) {
          double Difference = double(Points[F * N + I]) - double(Centres[C * Features + F]);
          Squared += Difference * Difference;
        }
        if (Squared >= Shortest)
          continue;
        Shortest = Squared;
        Membership[I] = int32_t(C);
      }
    }
  }

  void move() {
    for (int64_t I = 0; I < Clusters * Features; ++I)
      Sums[I] = 0;
    for (int64_t C = 0; C < Clusters; ++C)
      Sizes[C] = 0;
    for (int64_t I = 0; I < N; ++I) {
      int64_t C = Membership[I];
      Sizes[C] = Sizes[C] + 1;
      for (int64_t F = 0; F < Features; ++F)
        Sums[C * Features + F] = Sums[C * Features + F] + uint32_t(Points[F * N + I] * One);
    }
    for (int64_t I = 0; I < Clusters * Features; ++I)
      if (uint32_t Size = Sizes[I / Features])
        Centres[I] = float(uint32_t(Sums[I])) / (One * float(Size));
  }
};
} // namespace

static void compute(Problem &P) {
  KMeans K{P.size("n"),
           P.size("clusters"),
           P.size("features"),
           P.input<float>("points"),
           P.output<float>("centres"),
           P.output<int32_t>("membership"),
           P.output<uint32_t>("sums"),
           P.output<uint32_t>("sizes")};
  for (int64_t T = 0; T < P.size("iterations"); ++T) {
    K.assign();
    K.move();
  }
}

static const Reference KMeansIterations("sequences/kmeans", compute, {.Relative = 1e-6, .Absolute = 0});
