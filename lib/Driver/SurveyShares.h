//===- SurveyShares.h - What each kernel of a survey gets of a budget -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_DRIVER_SURVEYSHARES_H
#define GPUPRUNE_LIB_DRIVER_SURVEYSHARES_H

#include <cstddef>
#include <optional>

namespace gpuprune {

/// Gives each kernel its part of what is left. Kernels are prepared some at once and measured one after
/// another, and both go on at once. All in seconds.
struct SurveyShares {
  std::optional<double> Whole; ///< Of all kernels; nothing: no bound.
  std::optional<double> Each;  ///< At most, of one; nothing: no bound.
  size_t AtOnce = 1;           ///< So many are prepared at once.

  /// How far a survey is.
  struct Progress {
    double Spent = 0;     ///< Since it began.
    size_t Left = 1;      ///< That are not prepared or not measured yet, the next one among them.
    size_t Done = 0;      ///< That have been measured,
    double Measuring = 0; ///< which took so long, without waiting for what is prepared.
  };

  /// For the next one to prepare; nothing: no bound. 0: nothing is left.
  std::optional<double> toPrepare(const Progress &Of) const;
  /// For the next one to measure, whose preparing took \p Preparing. For about \p Free the cores have others
  /// to prepare, so that measuring costs no time.
  std::optional<double> toMeasure(const Progress &Of, double Preparing, double Free) const;
  /// Of the whole; 0 where that has no bound.
  double rest(double Spent) const;

private:
  double beyond(const Progress &Of) const;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_DRIVER_SURVEYSHARES_H
