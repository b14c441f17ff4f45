//===- ModelCorrection.h - What measured times say of a model --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model leaves out what bounds no kernel alone, and is wrong by a factor that differs
// from term to term (docs/model.md) and from family to family (Family.h). Times that are measured tell the
// factors, in logarithms:
//
//   scale of a term     median of measured / modelled over the rows that it bounds, drawn
//                       towards the median of all rows where these are few: n / (n + FewOfTerm) of the way
//   scale of a family   the same over its rows, drawn towards the scale of the row's term:
//                       n / (n + FewOfFamily) of the way
//   residual of a row   measured / (modelled * scale). The scale is that of the row's term, without the
//   family,
//                       for the row of a family that is modelled fastest, which stands for what would be
//                       thought of the family before any of it is measured; for the others it is that of
//                       the family without the row.
//
// How much faster than expected a variant can be is read off the residuals themselves, no
// distribution assumed: if the next one is as likely to have any place among n others, it lies
// below the k-th smallest of them with a probability of k / (n + 1).
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SEARCH_MODELCORRECTION_H
#define GPUPRUNE_SEARCH_MODELCORRECTION_H

#include "gpuprune/Model/ModelTerm.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <optional>
#include <vector>

namespace gpuprune {

/// So many rows of a term weigh as much as all rows together.
inline constexpr double FewOfTerm = 3;
/// So many of a family as much as those of the term.
inline constexpr double FewOfFamily = 0.3;

/// A variant with both times.
struct TimedModel {
  ModelTerm Bound = ModelTerm::Latency;
  double ModelledMs = 0, MeasuredMs = 0; ///< Positive.
  size_t Family = 0;
};

class ModelCorrection {
public:
  explicit ModelCorrection(llvm::ArrayRef<TimedModel> Known);

  /// Whether a row of \p Family is known.
  bool knows(size_t Family) const { return OfFamilies.contains(Family); }
  /// What a variant takes that is modelled at \p ModelledMs.
  double expectedMs(size_t Family, ModelTerm Bound, double ModelledMs) const;
  /// So many times as long as expected another variant takes at least, with the probability \p Confidence:
  /// one of a family that is known, or of another one. Nothing where too few are known to say that.
  std::optional<double> leastRatio(bool IsFamilyKnown, double Confidence) const;

private:
  std::array<double, NumModelTerms> LogScales{};
  llvm::DenseMap<size_t, std::vector<double>> OfFamilies; ///< Logarithms of measured / modelled.
  std::vector<double> First, Further, All;                ///< Logarithms of residuals, ascending.
};

} // namespace gpuprune

#endif // GPUPRUNE_SEARCH_MODELCORRECTION_H
