//===- reference.cpp - where a sound comes from -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../Reference.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

using namespace gpuprune::kernels;

namespace {
constexpr int64_t Microphones = 16, Block = 256, MostBlocks = 1024;
using Place = std::array<double, 3>;
constexpr Place Source = {0.8, 2.7, 1.2}, Room = {4, 4, 3};

double distance(const Place &A, const Place &B) { return std::hypot(A[0] - B[0], A[1] - B[1], A[2] - B[2]); }

struct Localisation {
  explicit Localisation(Problem &P)
      : P(P), Samples(P.size("samples")), Reach(P.size("reach")), Lags(2 * Reach + 1),
        Extent{P.size("nx"), P.size("ny"), P.size("nz")}, Points(Extent[0] * Extent[1] * Extent[2]),
        PerMetre(double(P.size("rate")) / 343) {}

  Problem &P;
  int64_t Samples, Reach, Lags;
  std::array<int64_t, 3> Extent;
  int64_t Points;
  double PerMetre;
  std::vector<std::vector<double>> Signals, Correlations;
  std::vector<float> Scores;

  double delay(const Place &From, int64_t Microphone) const {
    auto At = P.input<float>("microphones").subspan(4 * Microphone, 3);
    return distance(From, {At[0], At[1], At[2]}) * PerMetre;
  }

  void receive() {
    auto Sound = P.input<float>("sound"), Noise = P.input<float>("noise");
    auto Received = P.output<float>("signals"), Emphasised = P.output<float>("emphasised");
    for (int64_t M = 0; M < Microphones; ++M) {
      double Before = 0;
      std::vector<double> &Signal = Signals.emplace_back();
      for (int64_t T = 0; T < Samples; ++T) {
        double At = double(T + P.size("margin")) - delay(Source, M), Below = std::floor(At);
        double Value = Sound[int64_t(Below)] * (Below + 1 - At) + Sound[int64_t(Below) + 1] * (At - Below);
        Value = Value * PerMetre / delay(Source, M) + Noise[M * Samples + T];
        Signal.push_back(Value - Before / 2);
        Before = Value;
        Received[M * Samples + T] = float(Value);
        Emphasised[M * Samples + T] = float(Signal.back());
      }
    }
  }

  void correlate() {
    auto Out = P.output<float>("correlations");
    for (int64_t A = 0; A < Microphones; ++A)
      for (int64_t B = A + 1; B < Microphones; ++B) {
        std::vector<double> &Pair = Correlations.emplace_back();
        for (int64_t Lag = -Reach; Lag <= Reach; ++Lag) {
          double Sum = 0;
          for (int64_t T = 0; T < Samples; ++T)
            if (T + Lag >= 0 && T + Lag < Samples)
              Sum += Signals[A][T] * Signals[B][T + Lag];
          Out[(Correlations.size() - 1) * Lags + Pair.size()] = float(Sum / double(Samples));
          Pair.push_back(Sum / double(Samples));
        }
      }
  }

  Place point(int64_t I) const {
    return {(double(I % Extent[0]) + 0.5) * Room[0] / double(Extent[0]),
            (double(I / Extent[0] % Extent[1]) + 0.5) * Room[1] / double(Extent[1]),
            (double(I / Extent[0] / Extent[1]) + 0.5) * Room[2] / double(Extent[2])};
  }

  void search() {
    auto Out = P.output<float>("scores");
    for (int64_t I = 0; I < Points; ++I) {
      double Sum = 0;
      size_t Pair = 0;
      for (int64_t A = 0; A < Microphones; ++A)
        for (int64_t B = A + 1; B < Microphones; ++B, ++Pair) {
          double Lag = delay(point(I), B) - delay(point(I), A), Below = std::floor(Lag);
          const double *At = &Correlations[Pair][size_t(int64_t(Below) + Reach)];
          Sum += At[0] * (Below + 1 - Lag) + At[1] * (Lag - Below);
        }
      Scores.push_back(float(Sum));
      Out[I] = float(Sum);
    }
  }

  /// The first of the greatest scores among points First, First + Stride, ... in runs of a block.
  int64_t bestOf(int64_t First, int64_t Stride) const {
    int64_t Best = First;
    for (; First < Points; First += Stride)
      for (int64_t I = First; I < std::min(First + Block, Points); ++I)
        if (Scores[I] > Scores[Best])
          Best = I;
    return Best;
  }

  void findBest() {
    auto Best = P.output<float>("best"), Score = P.output<float>("answer_score");
    auto Where = P.output<int32_t>("place"), Answer = P.output<int32_t>("answer");
    int64_t Blocks = std::min(MostBlocks, (Points + Block - 1) / Block);
    for (int64_t B = 0; B < Blocks; ++B) {
      Where[B] = int32_t(bestOf(B * Block, Blocks * Block));
      Best[B] = Scores[Where[B]];
    }
    Answer[0] = int32_t(bestOf(0, Block));
    Score[0] = Scores[Answer[0]];
    if (!isNearSource(Answer[0])) // Which the test refuses.
      Score[0] = std::numeric_limits<float>::quiet_NaN();
  }

  /// Within one step of the grid and a sample of sound.
  bool isNearSource(int64_t I) const {
    bool IsNear = true;
    for (int D = 0; D < 3; ++D)
      IsNear &= std::abs(point(I)[D] - Source[D]) <= Room[D] / double(Extent[D]) + 1 / PerMetre;
    return IsNear;
  }
};
} // namespace

static void compute(Problem &P) {
  Localisation L(P);
  L.receive();
  L.correlate();
  L.search();
  L.findBest();
}

// Scores are sums of 120 correlations, each of sums of both signs.
static const Reference SoundLocalisation("sequences/sound-localisation", compute,
                                         {.Relative = 1e-5, .Absolute = 2e-4});
