//===- CheckPhase.h - The phase that checks on the CPU --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before anything is measured, or beside it: what a strategy wants is checked first, and
// the rest where there is time. A row that is wrong leaves the Pareto set, and lets in
// those that only it kept off.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_CHECKPHASE_H
#define GPUPRUNE_DRIVER_CHECKPHASE_H

#include "gpuprune/Driver/BatchChooser.h"
#include "gpuprune/Driver/Budget.h"
#include "gpuprune/Driver/Progress.h"
#include "gpuprune/Driver/RowChecks.h"

namespace gpuprune {

/// At which of the check sizes variants are checked in \p Mode.
CheckDepth checkDepth(CheckMode Mode);

class CheckPhase {
public:
  struct Settings {
    CheckMode Mode = CheckMode::Staged;
    bool IsBeside = false; ///< Variants are checked while others are measured.
  };

  /// \p Checks of the rows of \p Report; null: nothing is checked. All outlives this.
  CheckPhase(TuneReport &Report, RowChecks *Checks, BatchChooser &Chooser, const Budget &Limit,
             Progress &Shown, Settings Asked)
      : Report(Report), Checks(Checks), Chooser(Chooser), Limit(Limit), Shown(Shown), Asked(Asked) {}

  /// Whether variants that are not measured are checked, too, although others are.
  bool checksRest() const { return Asked.Mode != CheckMode::Staged; }

  /// What to measure first, each checked and right. The checks of that, which is the result, come before
  /// those of the rest, which \p WithRest asks for.
  std::vector<size_t> runFirst(bool WithRest);
  /// Where nothing is measured: checks what would have been, and the rest.
  void runAll();

  /// Begins the checks of \p Rows, and of all that nobody asked for, where there is time: their rows.
  void begin(llvm::ArrayRef<size_t> Rows);
  std::vector<size_t> beginRest();
  /// Waits for the check of \p Row, if there is one: whether the variant may be measured.
  bool settle(size_t Row, RowChecks::Deadline Until = std::nullopt);
  /// The same of all that were asked for; where the time for measuring, of which the final rounds take about
  /// \p FinalMs, is over, of those that have begun.
  void settleAll(double FinalMs);
  /// The same of those that are done by now; whether these are all.
  bool settleDone() { return !Checks || Checks->settleDone(); }
  /// Which of \p Rows is checked first; see RowChecks::awaitFirst(). Nothing of a run that checks nothing.
  std::optional<size_t> awaitFirst(llvm::ArrayRef<size_t> Rows, RowChecks::Deadline Until) {
    return Checks ? Checks->awaitFirst(Rows, Until) : 0;
  }

private:
  TuneReport &Report;
  RowChecks *Checks;
  BatchChooser &Chooser;
  const Budget &Limit;
  Progress &Shown;
  Settings Asked;

  std::vector<size_t> nextRightBatch();
  std::vector<size_t> settleAsPhase(llvm::ArrayRef<size_t> Rows);
};

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_CHECKPHASE_H
