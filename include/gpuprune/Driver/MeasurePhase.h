//===- MeasurePhase.h - The phase that measures on the GPU ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_MEASUREPHASE_H
#define GPUPRUNE_DRIVER_MEASUREPHASE_H

#include "gpuprune/Driver/BuildPhase.h"
#include "gpuprune/Driver/CheckPhase.h"
#include "gpuprune/Driver/JobPlanner.h"
#include "gpuprune/Runtime/JobRunner.h"
#include <deque>

namespace gpuprune {

/// The fastest variants, timed again together, of \p Report, which has its fingerprint.
FinalRounds finalRounds(const TuneReport &Report, const MeasureOptions &Measuring);

class MeasurePhase {
public:
  struct Context {
    CheckPhase &Checks;
    BatchChooser &Chooser;
    BuildPhase *Building; ///< Of what is built meanwhile; null: all is.
    const Budget &Limit;
    Progress &Shown;
    std::string JobFolder; ///< Of files that jobs name without a folder.
    bool WantsAll;         ///< Each variant, so that it does not matter which are built first.
    bool ChecksRest;       ///< Also variants that are not measured, once all are built.
    /// Appends the jobs of a batch of rows to those that are there.
    std::function<llvm::Error(llvm::ArrayRef<size_t>, FinalRounds &, std::vector<PlannedJob> &)> Plan;
  };

  /// Jobs without a result.
  struct Outcome {
    size_t Planned = 0;
    size_t Missing = 0; ///< Of them, for lack of a runner.
    size_t NotRun = 0;  ///< Of them, for lack of time.
  };

  /// \p Report has its fingerprint, and Measuring.
  MeasurePhase(TuneReport &Report, FinalRounds &Final, Context Of)
      : Report(Report), Final(Final), Of(std::move(Of)) {}

  /// Runs \p Jobs, then what the strategies want, and the final rounds; results come into the rows. Where a
  /// gate is not right nothing else is launched, and all variants are built and checked. Error: the runner is
  /// lost; \p Done counts what that leaves without a result.
  llvm::Error run(JobRunner &Client, std::vector<PlannedJob> Jobs, Outcome &Done);
  /// The same where there is nothing to measure with: builds and checks what there is.
  void runUnmeasured();

private:
  TuneReport &Report;
  FinalRounds &Final;
  Context Of;
  bool GateFailed = false;   ///< The author's launch on the GPU.
  std::vector<size_t> Ahead; ///< Rows to measure behind those that are measured; their checks have begun.

  llvm::Error runGates(JobRunner &Client, std::vector<PlannedJob> &Jobs, Outcome &Done);
  llvm::Error runBatches(JobRunner &Client, std::vector<PlannedJob> Jobs, Outcome &Done);
  llvm::Error runJobs(JobRunner &Client, std::vector<PlannedJob> Jobs, Outcome &Done, bool AreGates = false);
  llvm::Error runFinal(JobRunner &Client);
  std::optional<protocol::Job> takeNext(std::deque<PlannedJob> &Waiting, JobRunner::Ask How, Outcome &Done);
  std::optional<size_t> firstCheckedOf(const std::deque<PlannedJob> &Jobs, JobRunner::Ask How);
  std::vector<size_t> chooseOfAll();
  std::vector<size_t> chooseEarly();
  void apart(llvm::function_ref<void()> What);
  void take(const protocol::Result &Result);
};

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_MEASUREPHASE_H
