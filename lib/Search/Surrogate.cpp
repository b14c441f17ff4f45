//===- Surrogate.cpp - Times of variants from those of others ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Surrogate.h"
#include "ChoiceTable.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuprune {

/// The penalty, in variants that say nothing is added.
static constexpr double Penalty = 1;
/// One after the other the choices take what is left of the logarithms. That converges; what is left to
/// change is far below what a surrogate is exact to.
static constexpr unsigned MostSweeps = 100;
static constexpr double SmallChange = 1e-4;

Surrogate::Surrogate(ArrayRef<Variant> Variants) {
  ChoiceTable Table(Variants);
  for (ArrayRef<size_t> Places : Table.Places) {
    std::vector<size_t> &Own = Choices.emplace_back();
    size_t Before = 0; // Choices of other things.
    for (auto [Place, Range] : zip_equal(Places, Table.Ranges)) {
      Own.push_back(Before + Place);
      Before += Range.size();
    }
  }
  for (const ChoiceRange &Range : Table.Ranges)
    Added.resize(Added.size() + Range.size());
}

void Surrogate::fit(ArrayRef<KnownTime> Known) {
  std::vector<std::vector<size_t>> Having(Added.size());
  std::vector<double> Left;
  Mean = 0;
  for (const KnownTime &K : Known)
    Mean += std::log(K.Ms) / double(Known.size());
  for (auto [Index, K] : enumerate(Known)) {
    Left.push_back(std::log(K.Ms) - Mean);
    for (size_t Choice : Choices[K.Row])
      Having[Choice].push_back(Index);
  }
  fill(Added, 0);
  double Changed = 1;
  for (unsigned Sweep = 0; Sweep != MostSweeps && Changed > SmallChange; ++Sweep) {
    Changed = 0;
    for (auto [Now, Rows] : zip_equal(Added, Having)) {
      double Sum = Now * double(Rows.size());
      for (size_t Row : Rows)
        Sum += Left[Row];
      double Change = Sum / (double(Rows.size()) + Penalty) - Now;
      for (size_t Row : Rows)
        Left[Row] -= Change;
      Now += Change;
      Changed = std::max(Changed, std::fabs(Change));
    }
  }
}

double Surrogate::expectedMs(size_t Row) const {
  double Log = Mean;
  for (size_t Choice : Choices[Row])
    Log += Added[Choice];
  return std::exp(Log);
}

} // namespace gpuprune
