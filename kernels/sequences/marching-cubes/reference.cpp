//===- reference.cpp - the surface of soft balls, as triangles ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../Reference.h"
#include <algorithm>
#include <array>
#include <limits>
#include <set>

using namespace gpuprune::kernels;

namespace {
constexpr int64_t Block = 256;
constexpr double Iso = 0.3f;
using Point = std::array<double, 3>;

struct Surface {
  explicit Surface(Problem &P)
      : P(P), Side(P.size("side")), Cells(Side - 1), Voxels(Cells * Cells * Cells),
        Counts(P.input<uint8_t>("counts")), Edges(P.input<uint8_t>("triangles")) {}

  Problem &P;
  int64_t Side, Cells, Voxels;
  std::span<const uint8_t> Counts, Edges;
  std::vector<double> Field;
  std::vector<int> Cases;

  void sample() {
    auto Balls = P.input<float>("balls");
    auto Out = P.output<float>("field");
    for (int64_t I = 0; I < Side * Side * Side; ++I) {
      Point At = {double(I % Side), double(I / Side % Side), double(I / Side / Side)};
      double Sum = 0;
      for (int64_t B = 0; B < P.size("balls"); ++B) {
        double Squared = 0, Radius = Balls[4 * B + 3];
        for (int D = 0; D < 3; ++D)
          Squared += (At[D] / Cells - Balls[4 * B + D]) * (At[D] / Cells - Balls[4 * B + D]);
        double Rest = std::max(0.0, 1 - Squared / (Radius * Radius));
        Sum += Rest * Rest;
      }
      Field.push_back(Sum);
      Out[I] = float(Sum);
    }
  }

  /// Of a corner of a voxel.
  std::array<int64_t, 3> point(int64_t Voxel, int Corner) const {
    return {Voxel % Cells + (Corner & 1), Voxel / Cells % Cells + (Corner >> 1 & 1),
            Voxel / Cells / Cells + (Corner >> 2)};
  }
  double value(std::array<int64_t, 3> At) const { return Field[(At[2] * Side + At[1]) * Side + At[0]]; }

  void classify() {
    auto Vertices = P.output<uint32_t>("vertices"), Occupied = P.output<uint32_t>("occupied");
    for (int64_t V = 0; V < Voxels; ++V) {
      int Case = 0;
      for (int Corner = 0; Corner < 8; ++Corner)
        Case |= (value(point(V, Corner)) > Iso) << Corner;
      Cases.push_back(Case);
      Vertices[V] = Counts[Case];
      Occupied[V] = Case != 0 && Case != 255;
    }
  }

  /// What the launches for \p Values leave; those for vertices are the last ones.
  void scan(const char *Values, const char *Sums, const char *All) {
    auto In = P.output<uint32_t>(Values), Out = P.output<uint32_t>(Sums), Total = P.output<uint32_t>(All);
    auto BlockSums = P.output<uint32_t>("block_sums"), Offsets = P.output<uint32_t>("offsets");
    uint32_t Sum = 0;
    for (int64_t First = 0; First < Voxels; First += Block) {
      Offsets[First / Block] = Sum;
      for (int64_t V = First; V < std::min(First + Block, Voxels); ++V) {
        Out[V] = Sum;
        Sum += In[V];
      }
      BlockSums[First / Block] = Sum - Offsets[First / Block];
    }
    Total[0] = Sum;
  }

  Point cut(int64_t Voxel, int Edge) const {
    auto From = point(Voxel, Edge & 7), To = point(Voxel, Edge >> 3);
    double T = (Iso - value(From)) / (value(To) - value(From));
    Point At;
    for (int D = 0; D < 3; ++D)
      At[D] = double(From[D]) + T * double(To[D] - From[D]);
    return At;
  }

  void writeTriangle(int64_t First, const std::array<Point, 3> &T) {
    auto Positions = P.output<float>("positions"), Normals = P.output<float>("normals");
    for (int V = 0; V < 3; ++V)
      for (int D = 0; D < 3; ++D) {
        int A = (D + 1) % 3, B = (D + 2) % 3;
        Positions[4 * (First + V) + D] = float(T[V][D]);
        Normals[4 * (First + V) + D] =
            float((T[1][A] - T[0][A]) * (T[2][B] - T[0][B]) - (T[1][B] - T[0][B]) * (T[2][A] - T[0][A]));
      }
    for (int V = 0; V < 3; ++V) {
      Positions[4 * (First + V) + 3] = 1;
      Normals[4 * (First + V) + 3] = 0;
    }
  }

  void generate() {
    auto Compacted = P.output<uint32_t>("compacted");
    int64_t Active = 0, First = 0, Capacity = P.size("capacity"), Room = P.size("room");
    for (int64_t V = 0; V < Voxels; First += Counts[Cases[V++]]) {
      if (Counts[Cases[V]] == 0 || Active == Capacity)
        continue;
      Compacted[Active++] = uint32_t(V);
      if (First + Counts[Cases[V]] > Room)
        continue;
      for (int K = 0; K < Counts[Cases[V]]; K += 3) {
        const uint8_t *E = &Edges[15 * Cases[V] + K];
        writeTriangle(First + K, {cut(V, E[0]), cut(V, E[1]), cut(V, E[2])});
      }
    }
  }

  /// Whether each side of a triangle is that of another one, the other way round, but at the border of the
  /// field. It is so only if the cases fit together.
  bool isClosed() const {
    std::multiset<std::pair<Point, Point>> Sides;
    for (int64_t V = 0; V < Voxels; ++V)
      for (int K = 0; K < Counts[Cases[V]]; ++K) {
        const uint8_t *E = &Edges[15 * Cases[V] + K / 3 * 3];
        Sides.emplace(cut(V, E[K % 3]), cut(V, E[(K + 1) % 3]));
      }
    return std::all_of(Sides.begin(), Sides.end(), [&](const std::pair<Point, Point> &S) {
      bool AtBorder = false;
      for (int D = 0; D < 3; ++D)
        AtBorder |= S.first[D] == S.second[D] && (S.first[D] == 0 || S.first[D] == double(Cells));
      return AtBorder || Sides.count({S.second, S.first}) == 1;
    });
  }
};
} // namespace

static void compute(Problem &P) {
  Surface S(P);
  S.sample();
  S.classify();
  S.scan("occupied", "occupied_before", "active");
  S.scan("vertices", "vertices_before", "total");
  S.generate();
  if (!S.isClosed()) // Which the test refuses.
    P.output<float>("field")[0] = std::numeric_limits<float>::quiet_NaN();
}

// Positions divide by differences of neighbouring values of the field.
static const Reference MarchingCubes("sequences/marching-cubes", compute,
                                     {.Relative = 1e-5, .Absolute = 2e-4});
