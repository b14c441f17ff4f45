//===- RecordedTable.h - Tables of measured variants ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_EVALUATE_RECORDEDTABLE_H
#define GPUPRUNE_EVALUATE_RECORDEDTABLE_H

#include "gpuprune/Search/Result.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace gpuprune {

/// The variants of one kernel, all of them measured.
struct RecordedKernel {
  std::string Name;
  VariantResult Stock; ///< The source as written by stock clang.
  std::vector<VariantResult> Rows;
  /// Seconds of a whole run with a strategy, by its name. The first launch of a sequence has those of a run
  /// of all launches.
  std::map<std::string, double, std::less<>> WallSeconds = {};
};

/// Reads what test/benchmark/collect-exhaustive writes, in the order of the table. The columns `modelled_ms`,
/// `modelled_bound`, `registers`, `occupancy` and `cycles` may be missing, and so may `wall_s_` with the name
/// of a strategy, which the lines of stock clang have. Input error, with the line, for what is no such table.
llvm::Expected<std::vector<RecordedKernel>> readRecordedTable(llvm::StringRef Text);

/// Whether \p Row is a program of its own whose time and result were measured and are right.
bool isTimed(const VariantResult &Row);

} // namespace gpuprune

#endif // GPUPRUNE_EVALUATE_RECORDEDTABLE_H
