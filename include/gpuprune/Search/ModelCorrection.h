//===- ModelCorrection.h - What measured times say of a model --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model leaves out what bounds no kernel alone, and is wrong by a factor that differs
// from term to term (docs/model.md). Times that are measured tell the factors:
//
//   scale of a term   median of measured / modelled over the rows that it bounds, drawn
//                     towards the median of all rows where these are few: in logarithms
//                     n / (n + FewRows) of the way
//   residual of a row measured / (modelled * scale), the scale without that row
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
#include <array>
#include <optional>
#include <vector>

namespace gpuprune {

/// So many rows of a term weigh as much as all rows together.
inline constexpr double FewRows = 3;

/// A variant with both times.
struct TimedModel {
  ModelTerm Bound = ModelTerm::Latency;
  double ModelledMs = 0, MeasuredMs = 0; ///< Positive.
};

class ModelCorrection {
public:
  explicit ModelCorrection(llvm::ArrayRef<TimedModel> Known);

  /// What a variant takes that is modelled at \p ModelledMs.
  double expectedMs(ModelTerm Bound, double ModelledMs) const;
  /// So many times as long as expected another variant takes at least, with the probability \p Confidence.
  /// Nothing where too few are known to say that.
  std::optional<double> leastRatio(double Confidence) const;

private:
  std::array<double, NumModelTerms> LogScales{};
  std::vector<double> LogResiduals; ///< Ascending.
};

} // namespace gpuprune

#endif // GPUPRUNE_SEARCH_MODELCORRECTION_H
