//===- FinalReport.h - What the final rounds said ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_REPORT_FINALREPORT_H
#define GPUPRUNE_REPORT_FINALREPORT_H

#include "gpuprune/Runtime/Protocol.h"
#include "gpuprune/Search/Significance.h"

namespace gpuprune {

/// The fastest variants and stock clang's kernel, timed in the same rounds: all
/// sample vectors are as long as there were rounds. See FinalRounds.h.
struct FinalReport {
  struct Entry {
    size_t Row = 0; ///< Of the report's variants.
    std::vector<double> SamplesMs;
    bool Stable = true; ///< Whether its warm-up became stable.
    bool operator==(const Entry &) const = default;
  };
  std::vector<Entry> Entries;    ///< The fastest by the measurements before it first.
  std::vector<double> ControlMs; ///< The first entry once more.
  std::vector<double> StockMs;
  std::string Problem;       ///< Why there were none, though they were asked for.
  bool FromDatabase = false; ///< They are an earlier run\'s.

  bool empty() const { return Entries.empty(); }
  size_t rounds() const { return Entries.empty() ? 0 : Entries.front().SamplesMs.size(); }
  /// Of the variant of \p Row, where it took part.
  const Entry *find(size_t Row) const;
  bool operator==(const FinalReport &) const = default;
};

/// How two entries compare, with the p adjusted for all pairs of entries.
struct FinalComparison {
  RatioEstimate Ratio; ///< Of the times of A over those of B.
  double AdjustedP = 1;
  bool isSame() const { return AdjustedP >= SignificanceLevel; }
};

/// All pairs of entries; [A][B]. Nothing where the rounds do not suffice for a test.
std::vector<std::vector<FinalComparison>> compareAll(const FinalReport &Final);

/// The first entry over itself: what noise alone makes of a difference.
std::optional<RatioEstimate> noiseOf(const FinalReport &Final);

/// Fills in \p Final from the result of its job, whose rivals are named by the ids
/// of variants' jobs; \p RowOf finds their rows. Without samples the reason is kept.
void takeFinal(const protocol::Result &Result,
               llvm::function_ref<std::optional<size_t>(llvm::StringRef Id)> RowOf, FinalReport &Final);

llvm::json::Value toJSON(const FinalReport &Final);
bool fromJSON(const llvm::json::Value &Value, FinalReport &Final, llvm::json::Path Path);

} // namespace gpuprune

#endif // GPUPRUNE_REPORT_FINALREPORT_H
