//===- LiangSpace.h - Spaces, searched as Liang et al. do ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An application is one kernel of the recorded table, named as the application, or a sequence of launches,
// each with a space of its own: kernels named APPLICATION@2, the second launch, or APPLICATION@2x100, if that
// is repeated a hundred times. The time of a setting of the application is the sum over its launches, each as
// often as it is repeated; what is measured to find it is the sum over their spaces.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_EVALUATE_LIANGSPACE_H
#define GPUPRUNE_EVALUATE_LIANGSPACE_H

#include "gpuprune/Evaluate/LiangApplications.h"
#include "gpuprune/Evaluate/RecordedTable.h"
#include "gpuprune/Evaluate/SearchReplay.h"

namespace gpuprune {

/// One launch and its space. Indices are those of Rows.
struct LiangLaunch {
  std::string Name;
  unsigned Times = 1;  ///< How often the application has it.
  VariantResult Stock; ///< The default setting: the author's block, no limit of registers.
  std::vector<VariantResult> Rows;
  std::vector<size_t> Measured; ///< Programs of their own that compute the right result; not empty.
  std::vector<size_t> Pareto;   ///< Of these by PO.
  size_t Best = 0;

  double timeOf(size_t Row) const { return *Rows[Row].OnGpu.MedianMs; }
  double defaultMs() const { return *Stock.OnGpu.MedianMs; }
  /// As often as the application has it.
  double wholeMs() const { return Times * defaultMs(); }
};

/// What one search finds, summed over the launches.
struct LiangSearch {
  llvm::StringLiteral Name; ///< As --strategy has it.
  size_t Measured = 0;
  double MeasuredMs = 0; ///< One run of each.
  /// Of the setting found. Where nothing is measured it is the default.
  double Ms = 0;
  std::optional<double> WallSeconds =
      std::nullopt; ///< Of a whole run of the application, where that was recorded.
};

struct LiangSpace {
  const LiangApplication *Application = nullptr;
  std::vector<LiangLaunch> Launches; ///< Not empty.
  std::vector<LiangSearch> Searches; ///< es, ros, pos, posf and model-guided.

  double defaultMs() const;
  size_t combinations() const;
  size_t distinct() const;
  double speedUp(const LiangSearch &Search) const { return defaultMs() / Search.Ms; }
  double share(const LiangSearch &Search) const { return double(Search.Measured) / double(distinct()); }
  /// That takes the most of the default time.
  const LiangLaunch &longestLaunch() const;
};

/// Input error where \p Table has no launch of \p Application, or one without a time.
llvm::Expected<LiangSpace> evaluateLiangSpace(const LiangApplication &Application,
                                              llvm::ArrayRef<RecordedKernel> Table);

} // namespace gpuprune

#endif // GPUPRUNE_EVALUATE_LIANGSPACE_H
