//===- Strategy.h - Which variants to measure -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A strategy sees rows as plain data and asks for measurements in batches:
//
//   while (!(Batch = S->nextBatch(Rows)).empty())
//     measure each row of Batch and write the results into Rows;
//
// Rows keep their index throughout. One that has a time already, from an earlier
// run for instance, is not asked for again.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SEARCH_STRATEGY_H
#define GPUPRUNE_SEARCH_STRATEGY_H

#include "gpuprune/Search/Pareto.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include <memory>
#include <string>

namespace gpuprune {

/// Who chooses what is measured.
enum class SearchKind : uint8_t {
  Search,      ///< makeSearchStrategy()
  Pareto,      ///< makeParetoStrategy()
  Model,       ///< The model, which chooses the result (ModelChoice.h): nothing is measured.
  ModelGuided, ///< makeModelGuidedStrategy()
  ModelPareto, ///< makeModelParetoStrategy()
  // As Liang et al. name them (OccupancySearch.h).
  Exhaustive,                   ///< makeExhaustiveStrategy()
  RegisterOccupancy,            ///< makeRegisterOccupancyStrategy()
  PerformanceOccupancy,         ///< makePerformanceOccupancyStrategy()
  FilteredPerformanceOccupancy, ///< The same with PublishedFilter
};
inline constexpr size_t NumSearchKinds = size_t(SearchKind::FilteredPerformanceOccupancy) + 1;

/// "search", "pareto", ...
llvm::StringRef searchKindName(SearchKind Kind);
std::optional<SearchKind> parseSearchKind(llvm::StringRef Name);

/// Whether it chooses by modelled times,
bool asksModelledTimes(SearchKind Kind);
/// or by the cycles of one thread.
bool asksCycles(SearchKind Kind);
/// Either of them.
inline bool asksModel(SearchKind Kind) { return asksModelledTimes(Kind) || asksCycles(Kind); }

class Strategy {
public:
  virtual ~Strategy() = default;

  /// Indices of rows to measure now, all of them \p Among those looked at, no row twice over all calls;
  /// empty when done.
  std::vector<size_t> nextBatch(llvm::ArrayRef<VariantResult> Rows, RowFilter Among = nullptr);

  /// Why the last batch was empty, for a person; empty where that is the same each time.
  virtual std::string whyDone() const { return ""; }

protected:
  /// The rows this strategy would have measured, given what is known; rows that
  /// were asked for already may be among them. Rows that are not \p Among those looked at count for nothing.
  virtual std::vector<size_t> wanted(llvm::ArrayRef<VariantResult> Rows, RowFilter Among) = 0;

  /// Of each cluster of \p Set (clustersOf): those that were asked for or measured, and as many others as
  /// make \p Most together, spread over the cluster. The former come first.
  std::vector<size_t> representatives(llvm::ArrayRef<VariantResult> Rows, llvm::ArrayRef<size_t> Set,
                                      size_t Most) const;

  bool wasAsked(size_t Row) const { return Asked.contains(Row); }

private:
  llvm::DenseSet<size_t> Asked;
};

/// Of a cluster, so many stand for all.
inline constexpr size_t DefaultOfCluster = 8;

/// Where the Pareto set has fewer variants, so many are measured before those that are near the fastest.
inline constexpr size_t DefaultAtLeast = 24;

struct StrategyOptions {
  ParetoOptions Pareto;
  size_t OfCluster = DefaultOfCluster; ///< Variants to measure of those with the same metrics.
};

/// Every variant that can be launched, whatever its metrics; spilling ones, too, but
/// no duplicates.
std::unique_ptr<Strategy> makeExhaustiveStrategy();

/// The Pareto set of the metrics, and OfCluster of each of its clusters (Ryoo et al., CGO'08).
std::unique_ptr<Strategy> makeParetoStrategy(const StrategyOptions &Options = {});

/// The same and what the metrics, which know nothing of bandwidth, cannot rank: the
/// kernel without any pass in every block shape; where these are fewer than \p AtLeast,
/// variants that differ from it in one decision, then the Pareto set of what is left, and
/// so on; then neighbours in the space (at most 8 each) of the three fastest that are within two percent,
/// until these stay the same, or of eight in all.
std::unique_ptr<Strategy> makeSearchStrategy(const StrategyOptions &Options = {},
                                             size_t AtLeast = DefaultAtLeast);

} // namespace gpuprune

#endif // GPUPRUNE_SEARCH_STRATEGY_H
