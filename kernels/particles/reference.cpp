//===- reference.cpp - A step of particles in a field ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
#include <algorithm>
#include <cmath>
using namespace gpuprune::kernels;

namespace {
struct Particle {
  double Position;
  float Velocity;
  int16_t Species;
};
struct Domain {
  double Length;
  int32_t Cells;
  float Step, Acceleration[2];
};
} // namespace

// In the kernel's precisions, since the cell that a particle ends in is an integer, which has to be the same.
static void compute(Problem &P) {
  Domain D = P.scalar<Domain>(3);
  auto Particles = P.output<Particle>("particles");
  auto Field = P.input<float>("field");
  auto CellOf = P.output<int32_t>("cell_of");
  double CellsOfUnit = D.Cells / D.Length;
  for (int64_t I = 0; I < P.size("n"); ++I) {
    Particle &Moved = Particles[I];
    double Scaled = Moved.Position * CellsOfUnit;
    int64_t Left = int64_t(std::floor(Scaled)) % D.Cells, Right = (Left + 1) % D.Cells;
    float Part = float(Scaled - std::floor(Scaled));
    float Here = std::fma(Field[Left], 1 - Part, Field[Right] * Part);
    Moved.Velocity = std::fma(D.Step * D.Acceleration[Moved.Species], Here, Moved.Velocity);
    Moved.Position = std::fma(double(D.Step), double(Moved.Velocity), Moved.Position);
    // Once around at most: a step is much shorter than the domain.
    Moved.Position += Moved.Position < 0 ? D.Length : Moved.Position >= D.Length ? -D.Length : 0;
    CellOf[I] = std::min(int32_t(Moved.Position * CellsOfUnit), D.Cells - 1);
  }
}

static const Reference Particles("particles", compute, {.Relative = 1e-6, .Absolute = 1e-6});
