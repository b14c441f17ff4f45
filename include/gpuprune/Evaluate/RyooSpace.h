//===- RyooSpace.h - A space, pruned as Ryoo et al. do -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_EVALUATE_RYOOSPACE_H
#define GPUPRUNE_EVALUATE_RYOOSPACE_H

#include "gpuprune/Evaluate/RecordedTable.h"
#include "gpuprune/Evaluate/RyooApplications.h"
#include "gpuprune/Evaluate/SearchReplay.h"
#include "gpuprune/Search/Pareto.h"

namespace gpuprune {

/// How far times differ among variants with the same metrics (section 5.2); ratios to the fastest of a
/// cluster.
struct ClusterSpread {
  size_t Clusters = 0; ///< Of two variants or more.
  size_t Largest = 0;  ///< Variants in the largest of them.
  double LargestSpread = 1;
  double MedianSpread = 1;
  /// Of the cluster that the optimum is in.
  size_t OfOptimum = 1;
  double SlowestOfOptimum = 1, MedianOfOptimum = 1;
};

struct ReplayedSearch {
  llvm::StringLiteral Name; ///< As --strategy has it.
  Replayed Found;
};

/// A space whose variants are all measured, and what each way of pruning leaves of it. Indices are those of
/// Rows.
struct RyooSpace {
  const RyooApplication *Application = nullptr;
  VariantResult Stock;
  std::vector<VariantResult> Rows;
  std::vector<MetricPoint> Points; ///< The metrics as published, of each row.
  std::vector<size_t> Measured;    ///< Programs of their own that compute the right result; not empty.
  std::vector<size_t> Selected;    ///< The Pareto set of these by Points, not empty.
  size_t Best = 0, Worst = 0, BestSelected = 0;
  double EvaluationMs = 0, SelectedMs = 0; ///< One run of each.
  std::optional<double> RandomRegret;      ///< Of random samples as large as Selected.
  ClusterSpread Clusters;
  std::vector<ReplayedSearch> Searches;

  double timeOf(size_t Row) const { return *Rows[Row].OnGpu.MedianMs; }
  double regret() const { return timeOf(BestSelected) / timeOf(Best); }
};

/// Input error where nothing of \p Recorded was measured.
llvm::Expected<RyooSpace> evaluateSpace(const RyooApplication &Application, const RecordedKernel &Recorded);

} // namespace gpuprune

#endif // GPUPRUNE_EVALUATE_RYOOSPACE_H
