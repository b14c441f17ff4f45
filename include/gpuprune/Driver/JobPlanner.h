//===- JobPlanner.h - A run's jobs for the runner -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_JOBPLANNER_H
#define GPUPRUNE_DRIVER_JOBPLANNER_H

#include "gpuprune/Driver/ExpectedOutputs.h"
#include "gpuprune/Driver/MeasurePlan.h"
#include "gpuprune/Runtime/FinalRounds.h"

namespace gpuprune {

struct PlannedJob {
  protocol::Job Work;
  std::optional<size_t> Row; ///< Of a variant.
  bool IsGate = false;       ///< Nothing else is launched before it is known to be right.
};

class JobPlanner {
public:
  struct Context {
    const Workload &W;
    const VariantBuilder &Builder;
    const References &Compared;
    const MeasureOptions &Measuring;
    const ExpectedOutputs &Expected;
    const EarlierLaunches *Earlier; ///< Null where nothing runs before.
    std::string Folder;             ///< For files that jobs name.
    bool BuildsBeside;              ///< \p Variants are built while others are measured.
  };

  /// \p Variants are those of the rows of \p Report. All outlives this.
  JobPlanner(TuneReport &Report, llvm::ArrayRef<BuiltVariant> Variants, Context Of)
      : Report(Report), Variants(Variants), Of(std::move(Of)) {}

  /// The jobs of the kernels that variants are compared with, the gates first. Gives the report its
  /// fingerprint. Error: the kernel as written cannot be run; Io.
  llvm::Expected<std::vector<PlannedJob>> references();
  /// Appends those of the rows \p Batch to \p Jobs, which may take part in \p Final. A row that there is
  /// nothing to compare with says so and gets none.
  llvm::Error add(llvm::ArrayRef<size_t> Batch, FinalRounds &Final, std::vector<PlannedJob> &Jobs);

private:
  TuneReport &Report;
  llvm::ArrayRef<BuiltVariant> Variants;
  Context Of;

  std::string fingerprint(const protocol::Job &StockJob) const;
  llvm::Expected<protocol::Job> jobFor(const BuiltVariant &V, const BuiltVariant &Reference,
                                       std::string Id) const;
};

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_JOBPLANNER_H
