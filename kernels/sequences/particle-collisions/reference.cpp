//===- reference.cpp - balls that collide in a box ----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../Reference.h"
#include <algorithm>
#include <array>
#include <cmath>

using namespace gpuprune::kernels;

namespace {
using Vector = std::array<double, 3>;
constexpr double TimeStep = 0.001f, Gravity = 9.81f, Restitution = 0.5, Spring = 500, Damping = 20, Shear = 5;

struct Balls {
  explicit Balls(Problem &P)
      : P(P), Count(P.size("balls")), Cells(P.size("cells")), Radius(0.5 / double(Cells)), Position(Count),
        Velocity(Count) {
    auto X = P.input<float>("position"), V = P.input<float>("velocity");
    for (int64_t I = 0; I < Count; ++I)
      for (int D = 0; D < 3; ++D) {
        Position[I][D] = X[4 * I + D];
        Velocity[I][D] = V[4 * I + D];
      }
  }

  Problem &P;
  int64_t Count, Cells;
  double Radius;
  std::vector<Vector> Position, Velocity;

  int64_t cellOf(const Vector &At) const {
    int64_t Cell = 0;
    for (int D = 2; D >= 0; --D)
      Cell = Cell * Cells + std::clamp<int64_t>(int64_t(At[D] * double(Cells)), 0, Cells - 1);
    return Cell;
  }

  /// Batcher's network leaves what was there before its last step in the other buffer.
  void sortKeys() {
    auto Keys = P.output<uint64_t>("keys"), Other = P.output<uint64_t>("next");
    std::vector<uint64_t> Now(P.size("slots"), ~0ull), Before;
    for (int64_t I = 0; I < Count; ++I)
      Now[I] = uint64_t(cellOf(Position[I])) << 32 | uint64_t(I);
    std::vector<uint64_t> Sorted = Now;
    for (size_t Part = 2; Part <= Now.size(); Part *= 2)
      for (size_t Distance = Part / 2; Distance > 0; Distance /= 2) {
        Before = Now;
        for (size_t I = 0; I < Now.size(); ++I)
          if (!(I & Distance) && (Now[I] > Now[I | Distance]) == !(I & Part))
            std::swap(Now[I], Now[I | Distance]);
      }
    std::sort(Sorted.begin(), Sorted.end());
    for (size_t I = 0; I < Now.size(); ++I) {
      Keys[I] = Sorted[I];
      Other[I] = Before[I];
    }
  }

  void findCells() {
    auto Keys = P.output<uint64_t>("keys");
    auto First = P.output<int32_t>("first"), End = P.output<int32_t>("end");
    auto X = P.output<float>("sorted_position"), V = P.output<float>("sorted_velocity");
    for (int64_t C = 0; C < Cells * Cells * Cells; ++C)
      First[C] = End[C] = 0;
    for (int64_t I = Count - 1; I >= 0; --I) {
      int64_t Cell = int64_t(Keys[I] >> 32), Ball = int64_t(Keys[I] & 0xffffffff);
      First[Cell] = int32_t(I);
      End[Cell] = std::max<int32_t>(End[Cell], int32_t(I + 1));
      for (int D = 0; D < 3; ++D) {
        X[4 * I + D] = float(Position[Ball][D]);
        V[4 * I + D] = float(Velocity[Ball][D]);
      }
      X[4 * I + 3] = V[4 * I + 3] = 0;
    }
  }

  /// Of ball \p J on ball \p I.
  Vector force(int64_t I, int64_t J) const {
    Vector Normal, Relative, Force = {};
    double Squared = 0, Along = 0;
    for (int D = 0; D < 3; ++D) {
      Normal[D] = Position[J][D] - Position[I][D];
      Relative[D] = Velocity[J][D] - Velocity[I][D];
      Squared += Normal[D] * Normal[D];
      Along += Normal[D] * Relative[D];
    }
    double Distance = std::sqrt(Squared), Overlap = 2 * Radius - Distance;
    if (Overlap <= 0)
      return Force;
    for (int D = 0; D < 3; ++D) {
      double Unit = Normal[D] / Distance, Tangential = Relative[D] - Along / Distance * Unit;
      Force[D] = -Spring * Overlap * Unit + Damping * Along / Distance * Unit + Shear * Tangential;
    }
    return Force;
  }

  /// All pairs: those that touch are in neighbouring cells.
  void collide() {
    std::vector<Vector> After = Velocity;
    for (int64_t I = 0; I < Count; ++I)
      for (int64_t J = 0; J < Count; ++J)
        if (I != J)
          for (Vector Force = force(I, J); int D : {0, 1, 2})
            After[I][D] += TimeStep * Force[D];
    Velocity = After;
  }

  void move() {
    for (int64_t I = 0; I < Count; ++I) {
      Velocity[I][2] -= TimeStep * Gravity;
      for (int D = 0; D < 3; ++D) {
        double At = Position[I][D] + TimeStep * Velocity[I][D];
        Position[I][D] = std::clamp(At, Radius, 1 - Radius);
        if (Position[I][D] != At)
          Velocity[I][D] *= -Restitution;
      }
    }
  }

  void write() {
    auto X = P.output<std::array<float, 4>>("position"), V = P.output<std::array<float, 4>>("velocity");
    for (int64_t I = 0; I < Count; ++I)
      for (int D = 0; D < 3; ++D) {
        X[I][D] = float(Position[I][D]);
        V[I][D] = float(Velocity[I][D]);
      }
  }
};
} // namespace

static void compute(Problem &P) {
  Balls B(P);
  for (int64_t T = 0; T < P.size("steps"); ++T) {
    B.sortKeys();
    B.findCells();
    B.collide();
    B.move();
  }
  B.write();
}

// Velocities add up forces of dozens of balls, each below 1 in a step.
static const Reference ParticleCollisions("sequences/particle-collisions", compute,
                                          {.Relative = 1e-5, .Absolute = 2e-5});
