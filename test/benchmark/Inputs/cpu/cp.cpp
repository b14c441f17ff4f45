//===- cp.cpp - Coulombic potential on a CPU ------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row of points at a time, for which the distance to an atom but for its part along the row is computed
// once.
//
//===----------------------------------------------------------------------===//
#include "CpuVersion.h"

namespace {

constexpr float Spacing = 0.1f, Height = -1; ///< Of the points, and of their plane.

/// To a unit in the last place or two, by Newton's method from a first guess on; sixteen square roots and
/// divisions take longer.
cpu::Vec reciprocalSquareRoot(cpu::Vec X) {
  cpu::Vec Half = 0.5f * X, Y = (cpu::Vec)(0x5f375a86 - ((cpu::IntVec)X >> 1));
  for (int Step = 0; Step < 3; ++Step)
    Y *= 1.5f - Half * Y * Y;
  return Y;
}

struct Cp {
  struct Size {
    int Width = 4096, Height = 4096, Atoms = 4000; ///< Two vectors of points divide the width.
  };
  explicit Cp(Size S)
      : S(S), Atoms(cpu::uniform(4 * S.Atoms, 0.5, 100, 1)),
        Energy(cpu::uniform(int64_t(S.Width) * S.Height, -1, 1, 2)), Before(Energy) {}

  std::string text() const {
    return "width=" + std::to_string(S.Width) + " height=" + std::to_string(S.Height) +
           " natoms=" + std::to_string(S.Atoms);
  }
  int64_t parts() const { return S.Height; }

  /// Row \p Part.
  void compute(int64_t Part) {
    std::vector<float> Across(S.Atoms);
    for (int A = 0; A < S.Atoms; ++A) {
      float Dy = Spacing * Part - Atoms[4 * A + 1], Dz = Height - Atoms[4 * A + 2];
      Across[A] = Dy * Dy + Dz * Dz;
    }
    for (int X = 0; X < S.Width; X += 2 * cpu::Lanes)
      addPotential(X, Across.data(), &Energy[Part * S.Width + X]);
  }

  bool isRight() const {
    for (int64_t I = 0; I < int64_t(Energy.size()); ++I) {
      double X = double(Spacing) * (I % S.Width), Y = double(Spacing) * (I / S.Width), Sum = Before[I];
      for (int A = 0; A < S.Atoms; ++A)
        Sum +=
            Atoms[4 * A + 3] / std::hypot(X - Atoms[4 * A], Y - Atoms[4 * A + 1], Height - Atoms[4 * A + 2]);
      if (!cpu::isNear(Energy[I], Sum, 1e-5))
        return false;
    }
    return true;
  }

private:
  void addPotential(int First, const float *Across, float *Into) const {
    cpu::Vec X[2], Sum[2] = {};
    for (int I = 0; I < 2 * cpu::Lanes; ++I)
      X[I / cpu::Lanes][I % cpu::Lanes] = Spacing * (First + I);
    for (int A = 0; A < S.Atoms; ++A)
      for (int H = 0; H < 2; ++H) {
        cpu::Vec Dx = X[H] - Atoms[4 * A];
        Sum[H] += Atoms[4 * A + 3] * reciprocalSquareRoot(Dx * Dx + Across[A]);
      }
    for (int H = 0; H < 2; ++H)
      cpu::store(Into + H * cpu::Lanes, cpu::load(Into + H * cpu::Lanes) + Sum[H]);
  }

  Size S;
  std::vector<float> Atoms, Energy, Before;
};

} // namespace

int main(int Argc, char **Argv) {
  return cpu::run<Cp>(Argc, Argv, {.Width = 256, .Height = 128, .Atoms = 100});
}
