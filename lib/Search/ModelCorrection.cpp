//===- ModelCorrection.cpp - What measured times say of a model ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/ModelCorrection.h"
#include "gpuprune/Support/Median.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuprune {

static double logRatio(const TimedModel &T) { return std::log(T.MeasuredMs / T.ModelledMs); }

/// By all of \p Known but the one at \p Left.
static double logScale(ArrayRef<TimedModel> Known, ModelTerm Term, std::optional<size_t> Left) {
  std::vector<double> All, Own;
  for (const auto &[Index, T] : enumerate(Known)) {
    if (Index == Left)
      continue;
    All.push_back(logRatio(T));
    if (T.Bound == Term)
      Own.push_back(All.back());
  }
  double OfAll = median(All).value_or(0), Weight = double(Own.size()) / (double(Own.size()) + FewRows);
  return OfAll + Weight * (median(Own).value_or(OfAll) - OfAll);
}

ModelCorrection::ModelCorrection(ArrayRef<TimedModel> Known) {
  for (size_t Term = 0; Term != NumModelTerms; ++Term)
    LogScales[Term] = logScale(Known, ModelTerm(Term), std::nullopt);
  for (const auto &[Index, T] : enumerate(Known))
    LogResiduals.push_back(logRatio(T) - logScale(Known, T.Bound, Index));
  llvm::sort(LogResiduals);
}

double ModelCorrection::expectedMs(ModelTerm Bound, double ModelledMs) const {
  return ModelledMs * std::exp(LogScales[size_t(Bound)]);
}

std::optional<double> ModelCorrection::leastRatio(double Confidence) const {
  double Place = (1 - Confidence) * double(LogResiduals.size() + 1);
  // 0.1 of ten is one, whatever 1 - 0.9 is.
  auto Smallest = size_t(Place + 1e-9);
  if (Smallest == 0 || Smallest > LogResiduals.size())
    return std::nullopt;
  return std::exp(LogResiduals[Smallest - 1]);
}

} // namespace gpuprune
