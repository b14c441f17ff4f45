//===- JoinBuilt.cpp - Built variants in the table --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/JoinBuilt.h"
#include "ResultJoin.h"
#include "gpuprune/Search/SpillScreen.h"

using namespace llvm;

namespace gpuprune {

void prune(TuneReport &Report, const PruneOptions &Options) {
  screenSpills(Report.Variants, Options.Device);
  copyTwins(Report);
  markPareto(Report.Variants, Options.Pareto);
}

void joinBuilt(TuneReport &Report, ArrayRef<BuiltRow> Rows, const PruneOptions &Options) {
  std::vector<std::pair<size_t, VariantResult>> Distrusted;
  for (const BuiltRow &New : Rows) {
    VariantResult Before = std::exchange(Report.Variants[New.Row], New.Built);
    if (Before.Status != VariantStatus::Skipped && New.Built.canRun())
      Distrusted.emplace_back(New.Row, std::move(Before));
  }
  // What is the same as a wrong one is judged by itself.
  for (size_t Row = 0; Row != Report.Variants.size(); ++Row)
    if (Report.Variants[Row].OnCpu.Outcome == CheckOutcome::Wrong)
      releaseTwins(Report, Row);
  if (!Rows.empty())
    prune(Report, Options);
  // What it is compared with may have turned out wrong before; it is on the Pareto set or not all the same.
  for (auto &[Row, Before] : Distrusted) {
    Report.Variants[Row].Status = Before.Status;
    Report.Variants[Row].Message = std::move(Before.Message);
  }
}

} // namespace gpuprune
