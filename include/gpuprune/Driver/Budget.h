//===- Budget.h - How long a run may take ------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is done first under a budget decides what is known at its end: variants are
// compiled in an order that is no order of the space, so that those that are compiled
// are a sample of it, and measured beginning with the most promising ones.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_BUDGET_H
#define GPUPRUNE_DRIVER_BUDGET_H

#include "gpuprune/Search/Result.h"
#include "llvm/ADT/ArrayRef.h"
#include <chrono>
#include <optional>

namespace gpuprune {

class Budget {
public:
  using Clock = std::chrono::steady_clock;

  /// What follows compiling, or goes on beside it. Apart: in a time of its own, which endIn() gives.
  enum class Then {
    Nothing,
    Measuring,
    MeasuringApart,
    MeasuringBeside,
    Modelling,
    ModellingAndMeasuring,
    ModellingAndMeasuringApart,
    ModellingAndMeasuringBeside
  };
  /// Begins now; \p Seconds without a value: no bound. Compiling leaves time for what follows.
  Budget(std::optional<double> Seconds, Then Follows);

  /// From now on, however long the time before was: all is over in so many seconds.
  void endIn(double Seconds);

  bool isBounded() const { return Seconds.has_value(); }
  double seconds() const { return Seconds.value_or(0); }
  /// Whether no further variant may be compiled, or assembled.
  bool compilingOver() const { return over(CompileEnd); }
  bool assemblingOver() const { return over(AssembleEnd); }
  /// Whether no further variant may be modelled.
  bool modellingOver() const { return over(ModelEnd); }
  /// After it the author's launch is not begun at another size; nothing: there is no bound.
  std::optional<Clock::time_point> authorEnd() const { return AuthorEnd; }
  /// When all is over; nothing: never.
  std::optional<Clock::time_point> end() const { return End; }
  /// When the jobs are over that come before the final rounds, which take about \p FinalMs.
  bool measuringOver(double FinalMs) const;

private:
  std::optional<double> Seconds;
  double MostForFinal = 0; ///< Seconds.
  std::optional<Clock::time_point> AuthorEnd, CompileEnd, AssembleEnd, ModelEnd, End;
  static bool over(const std::optional<Clock::time_point> &When) { return When && Clock::now() >= *When; }
};

/// Sorts the indices \p Batch of \p Rows, the most promising first: the Pareto set before
/// the rest, and each by Efficiency times Utilization.
void sortByPromise(std::vector<size_t> &Batch, llvm::ArrayRef<VariantResult> Rows);

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_BUDGET_H
