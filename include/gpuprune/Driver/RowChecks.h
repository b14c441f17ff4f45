//===- RowChecks.h - What the CPU finds of a run's rows ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks begin in the order in which they are asked for and go on behind; a finding
// comes into the table where a row is settled. Twins by machine code stand behind the
// row that is checked for them: where that is wrong, the next of them is checked.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_ROWCHECKS_H
#define GPUPRUNE_DRIVER_ROWCHECKS_H

#include "gpuprune/Check/CheckQueue.h"
#include "gpuprune/Report/TuneReport.h"
#include "gpuprune/Search/Pareto.h"

namespace gpuprune {

class RowChecks {
public:
  using Deadline = std::optional<CheckQueue::Clock::time_point>;
  /// The prepared kernel with a variant's defines; null: there is nothing to compare it with.
  using ReferenceFunction = std::function<const BuiltVariant *(const BuiltVariant &)>;

  struct Settings {
    CheckDepth Depth = CheckDepth::Usual; ///< Of twins that are checked in place of a wrong row.
    unsigned Jobs = 0;                    ///< Threads; 0: as many as there are cores.
    bool Behind = false;                  ///< Something is measured at the same time.
    ParetoOptions Pareto;
  };

  /// \p Variants are those of \p Report's rows; all outlives this.
  RowChecks(TuneReport &Report, llvm::ArrayRef<BuiltVariant> Variants, CheckQueue::CheckFunction Check,
            ReferenceFunction ReferenceOf, const Settings &Asked, CheckQueue::StepFunction OnStep);

  void begin(llvm::ArrayRef<size_t> Rows, CheckDepth Depth, CheckTurn Turn = CheckTurn::Now);
  /// Of all distinct variants that can run and were not asked for: their rows.
  std::vector<size_t> beginRest(CheckDepth Depth);

  /// Waits for the check of \p Row, where there is one, and writes down what it found; whether the variant
  /// may be measured, which it may not where nothing is known at \p Until.
  bool settle(size_t Row, Deadline Until = std::nullopt);
  /// The same of all rows.
  void settleAll();
  /// The same of those whose checks are over by now; whether these are all.
  bool settleDone();

  bool has(size_t Row) const { return Queue.has(Row); }
  /// See CheckQueue.
  std::optional<size_t> awaitFirst(llvm::ArrayRef<size_t> Rows, Deadline Until) {
    return Queue.awaitFirst(Rows, Until);
  }
  void drop() { Queue.drop(); }

private:
  TuneReport &Report;
  llvm::ArrayRef<BuiltVariant> Variants;
  ReferenceFunction ReferenceOf;
  Settings Asked;
  bool FoundWrong = false; ///< Since the Pareto set was marked.
  CheckQueue Queue;

  const VariantResult *take(size_t Row, Deadline Until);
  void note();
};

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_ROWCHECKS_H
