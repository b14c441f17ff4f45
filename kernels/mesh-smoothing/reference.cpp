//===- reference.cpp - Smoothing on a mesh ---------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
using namespace gpuprune::kernels;

static void compute(Problem &P) {
  int64_t Nodes = P.size("nodes");
  double Weight = P.scalar<float>(3);
  auto Neighbours = P.input<uint16_t>("neighbours");
  auto Old = P.input<float>("old");
  auto Smoothed = P.output<float>("smoothed");
  for (int64_t I = 0; I < P.size("fields") * Nodes; ++I) {
    int64_t Node = I % Nodes, Field = I - Node;
    double Sum = 0;
    for (int64_t K = 0; K < 6; ++K)
      Sum += Old[Field + Neighbours[K * Nodes + Node]];
    Smoothed[I] = float((1 - Weight) * Old[I] + Weight * Sum / 6);
  }
}

static const Reference MeshSmoothing("mesh-smoothing", compute, {.Relative = 1e-5, .Absolute = 1e-6});
