//===- SequenceTuner.h - Tunes a sequence of launches ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each launch is tuned by itself, from the state that the launches before it leave as their author wrote them
// (EarlierLaunches.h): whatever it changes is compared with what the author's launch leaves there. Then the
// choices run together, all buffers are compared at the end, and the whole is timed beside the whole as
// written.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_SEQUENCETUNER_H
#define GPUPRUNE_DRIVER_SEQUENCETUNER_H

#include "gpuprune/Driver/Tuner.h"

namespace gpuprune {

/// The whole sequence with the choice of each launch.
struct WholeSequence {
  CheckOutcome Check = CheckOutcome::Skipped;
  std::optional<double> MedianMs, AsWrittenMs; ///< In the same interleaved rounds.
  uint32_t Rounds = 0;
  std::string Problem; ///< Why there is no time, or what is wrong; empty: all is well.
  /// Where the program that was checked, or timed, has launches as written in place of their choices.
  std::vector<std::string> Notes;
  bool HasRun = false; ///< It was tried, and Problem is that of the attempt.

  std::optional<double> speedup() const;
  /// Whether the program is best left as it is: then that is the result, for a search never makes anything
  /// slower.
  bool asWrittenIsBest() const { return speedup() && *speedup() <= 1; }
};

struct SequenceReport {
  std::vector<TuneReport> Launches; ///< In the order of the workload.
  std::vector<Variant> Choices;     ///< Of each launch.
  std::vector<bool> StaysAsWritten; ///< Of each, whether it takes too little time to be tuned.
  WholeSequence Whole;
};

/// Tunes the workload of \p Options, which has \p Launches launches, one after another. Of a budget
/// each gets a share of what is left, by the times of all as written. An error is that of the first launch
/// that cannot be tuned at all.
llvm::Expected<SequenceReport> tuneSequence(const TuneOptions &Options, size_t Launches, Progress &Shown);

llvm::json::Value toJSON(const SequenceReport &Report);
/// The report of each launch, then a table of the whole.
void printSequence(llvm::raw_ostream &OS, const SequenceReport &Report, const TableOptions &Options);

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_SEQUENCETUNER_H
