//===- mri-fhd.cpp - F^H d on a CPU ---------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A vector of voxels at a time, all samples of which add up in registers.
//
//===----------------------------------------------------------------------===//
#include "CpuVersion.h"
#include <complex>
#include <numbers>

namespace {

struct SineCosine {
  cpu::Vec Sine, Cosine;
};

template <int N> cpu::Vec polynomial(const float (&Factors)[N], cpu::Vec X) {
  cpu::Vec Value = Factors[N - 1] + cpu::Vec{};
#pragma GCC unroll 8
  for (int I = N - 2; I >= 0; --I)
    Value = Value * X + Factors[I];
  return Value;
}

/// Of whole turns, at most 1e-6 off, as __sinf and __cosf are: Chebyshev polynomials over half a turn either
/// way.
SineCosine ofTurns(cpu::Vec Turns) {
  constexpr float ToInteger = 0x1.8p23f; // Adding it leaves no fraction.
  cpu::Vec X = Turns - ((Turns + ToInteger) - ToInteger), Y = X * X;
  constexpr float OfSine[] = {6.28318548f, -41.3417015f, 81.6051331f, -76.7030029f,
                              42.0258522f, -14.8995781f, 3.23778009f};
  constexpr float OfCosine[] = {1.0f,        -19.7392044f, 64.9391174f, -85.4501114f,
                                60.1674309f, -25.9668846f, 6.52770615f};
  return {X * polynomial(OfSine, Y), polynomial(OfCosine, Y)};
}

struct MriFhd {
  struct Size {
    int Voxels = 12582912, Samples = 2048; ///< A vector divides the voxels.
  };
  explicit MriFhd(Size S)
      : S(S), Samples(cpu::uniform(4 * S.Samples, -0.5, 0.5, 1)),
        Imaginary(cpu::uniform(S.Samples, -0.5, 0.5, 2)), X(cpu::uniform(S.Voxels, -1, 1, 3)),
        Y(cpu::uniform(S.Voxels, -1, 1, 4)), Z(cpu::uniform(S.Voxels, -1, 1, 5)), Real(S.Voxels),
        Imag(S.Voxels) {}

  std::string text() const {
    return "voxels=" + std::to_string(S.Voxels) + " nsamples=" + std::to_string(S.Samples);
  }
  int64_t parts() const { return (S.Voxels + PartOf - 1) / PartOf; }

  void compute(int64_t Part) {
    for (int64_t V = Part * PartOf; V < std::min<int64_t>((Part + 1) * PartOf, S.Voxels); V += cpu::Lanes)
      addSamples(V);
  }

  bool isRight() const {
    for (int V = 0; V < S.Voxels; ++V) {
      std::complex<double> Sum;
      for (int I = 0; I < S.Samples; ++I) {
        const float *K = &Samples[4 * I];
        double Turns = double(K[0]) * X[V] + double(K[1]) * Y[V] + double(K[2]) * Z[V];
        Sum += std::complex<double>(K[3], Imaginary[I]) * std::polar(1.0, 2 * std::numbers::pi * Turns);
      }
      if (!cpu::isNear(Real[V], Sum.real(), 1e-4) || !cpu::isNear(Imag[V], Sum.imag(), 1e-4))
        return false;
    }
    return true;
  }

private:
  static constexpr int64_t PartOf = 4096;

  void addSamples(int64_t V) {
    cpu::Vec Vx = cpu::load(&X[V]), Vy = cpu::load(&Y[V]), Vz = cpu::load(&Z[V]), RealSum = {}, ImagSum = {};
    for (int I = 0; I < S.Samples; ++I) {
      const float *K = &Samples[4 * I];
      SineCosine Of = ofTurns(K[0] * Vx + K[1] * Vy + K[2] * Vz);
      RealSum += K[3] * Of.Cosine - Imaginary[I] * Of.Sine;
      ImagSum += Imaginary[I] * Of.Cosine + K[3] * Of.Sine;
    }
    cpu::store(&Real[V], RealSum);
    cpu::store(&Imag[V], ImagSum);
  }

  Size S;
  std::vector<float> Samples, Imaginary, X, Y, Z, Real, Imag;
};

} // namespace

int main(int Argc, char **Argv) { return cpu::run<MriFhd>(Argc, Argv, {.Voxels = 8208, .Samples = 77}); }
