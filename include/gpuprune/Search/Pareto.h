//===- Pareto.h - What no other variant beats in both metrics -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SEARCH_PARETO_H
#define GPUPRUNE_SEARCH_PARETO_H

#include "gpuprune/Search/Result.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstddef>
#include <vector>

namespace gpuprune {

/// A variant in the plane of the two metrics; more is better for both.
struct MetricPoint {
  double Efficiency = 0;
  double Utilization = 0;
  bool Eligible = true; ///< Others neither enter the set nor keep anything out.
};

/// Indices, ascending, of the eligible points that no eligible point dominates: is as
/// good in both metrics and better in one. A point that is not finite counts as
/// not eligible. O(n log n).
std::vector<size_t> paretoSet(llvm::ArrayRef<MetricPoint> Points);

/// Efficiency times Utilization, to rank by where one figure is needed; 0 where they
/// are not known.
double promise(const VariantResult &Row);

struct ParetoOptions {
  /// Let variants with the status `spills` take part, too.
  bool KeepSpills = false;
};

/// Which rows of a table are looked at, by index; null: all.
using RowFilter = llvm::function_ref<bool(size_t)>;

/// The same of rows. A row takes part where it is \p Among those looked at, its status is ok or slow, it is
/// no duplicate and both metrics are known.
std::vector<size_t> paretoSet(llvm::ArrayRef<VariantResult> Rows, const ParetoOptions &Options = {},
                              RowFilter Among = nullptr);

/// Sets VariantResult::Pareto of all rows; a duplicate gets its twin's.
void markPareto(llvm::MutableArrayRef<VariantResult> Rows, const ParetoOptions &Options = {});

/// \p Set, indices of \p Rows, in groups whose Efficiency and Utilization are the same to within about 1 %,
/// in the order of their first rows. Within such a cluster times hardly differ (Ryoo et al., section 5.2:
/// by 7.1 % at most, the median by 0.2 % from the best).
std::vector<std::vector<size_t>> clustersOf(llvm::ArrayRef<VariantResult> Rows, llvm::ArrayRef<size_t> Set);

} // namespace gpuprune

#endif // GPUPRUNE_SEARCH_PARETO_H
