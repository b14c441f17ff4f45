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

/// From \p Of towards the median of \p Own, which is heavier the more there are.
static double drawn(double Of, ArrayRef<double> Own, double Few) {
  double Weight = double(Own.size()) / (double(Own.size()) + Few);
  return Of + Weight * (median(Own.vec()).value_or(Of) - Of);
}

/// The scale of \p Term by those of \p Known that are \p Counted.
static double logScale(ArrayRef<TimedModel> Known, ModelTerm Term, function_ref<bool(size_t Index)> Counted) {
  std::vector<double> All, Own;
  for (const auto &[Index, T] : enumerate(Known)) {
    if (!Counted(Index))
      continue;
    All.push_back(logRatio(T));
    if (T.Bound == Term)
      Own.push_back(All.back());
  }
  return drawn(median(All).value_or(0), Own, FewOfTerm);
}

/// Of each family the row that is modelled fastest.
static DenseMap<size_t, size_t> firstOfFamilies(ArrayRef<TimedModel> Known) {
  DenseMap<size_t, size_t> First;
  for (const auto &[Index, T] : enumerate(Known)) {
    size_t &Of = First.try_emplace(T.Family, Index).first->second;
    if (T.ModelledMs < Known[Of].ModelledMs)
      Of = Index;
  }
  return First;
}

ModelCorrection::ModelCorrection(ArrayRef<TimedModel> Known) {
  for (size_t Term = 0; Term != NumModelTerms; ++Term)
    LogScales[Term] = logScale(Known, ModelTerm(Term), [](size_t) { return true; });
  for (const TimedModel &T : Known)
    OfFamilies[T.Family].push_back(logRatio(T));
  DenseMap<size_t, size_t> Firsts = firstOfFamilies(Known);
  for (const auto &[Index, T] : enumerate(Known)) {
    if (Firsts.lookup(T.Family) == Index) {
      double Scale = logScale(Known, T.Bound, [&](size_t Other) { return Known[Other].Family != T.Family; });
      First.push_back(logRatio(T) - Scale);
      continue;
    }
    std::vector<double> Others;
    for (const auto &[Other, Sibling] : enumerate(Known))
      if (Other != Index && Sibling.Family == T.Family)
        Others.push_back(logRatio(Sibling));
    double OfTerm = logScale(Known, T.Bound, [&](size_t Other) { return Other != Index; });
    Further.push_back(logRatio(T) - drawn(OfTerm, Others, FewOfFamily));
  }
  append_range(All, First);
  append_range(All, Further);
  for (std::vector<double> *Residuals : {&First, &Further, &All})
    llvm::sort(*Residuals);
}

double ModelCorrection::expectedMs(size_t Family, ModelTerm Bound, double ModelledMs) const {
  double OfTerm = LogScales[size_t(Bound)];
  auto Own = OfFamilies.find(Family);
  return ModelledMs * std::exp(Own == OfFamilies.end() ? OfTerm : drawn(OfTerm, Own->second, FewOfFamily));
}

static std::optional<double> leastOf(ArrayRef<double> LogResiduals, double Confidence) {
  double Place = (1 - Confidence) * double(LogResiduals.size() + 1);
  // 0.1 of ten is one, whatever 1 - 0.9 is.
  auto Smallest = size_t(Place + 1e-9);
  if (Smallest == 0 || Smallest > LogResiduals.size())
    return std::nullopt;
  return std::exp(LogResiduals[Smallest - 1]);
}

std::optional<double> ModelCorrection::leastRatio(bool IsFamilyKnown, double Confidence) const {
  if (!IsFamilyKnown)
    return leastOf(First, Confidence);
  std::optional<double> OfFurther = leastOf(Further, Confidence);
  return OfFurther ? OfFurther : leastOf(All, Confidence);
}

} // namespace gpuprune
