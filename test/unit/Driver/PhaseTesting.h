//===- PhaseTesting.h - A table for tests of phases -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_DRIVER_PHASETESTING_H
#define GPUPRUNE_TEST_UNIT_DRIVER_PHASETESTING_H

#include "ExpectedTesting.h"
#include "gpuprune/Driver/CheckPhase.h"
#include <mutex>
#include <set>

namespace gpuprune::test {

/// Three variants that are built, the first alone on the Pareto set, and a check on the CPU that finds wrong
/// what it is told to.
class PhaseTable {
public:
  TuneReport Report;
  std::vector<BuiltVariant> Variants;
  std::set<size_t> WrongOnCpu;
  std::vector<size_t> CheckedOnCpu; ///< In their order.
  Progress Shown{llvm::errs(), /*Quiet=*/true};
  Budget Limit;

  explicit PhaseTable(std::optional<double> Seconds = std::nullopt)
      : Limit(Seconds, Budget::Then::MeasuringBeside) {
    Report.Device = "sm_90";
    Report.Fingerprint = "f";
    for (const char *Text : {"gpu-registers<max=128>", "gpu-registers<max=64>", "gpu-registers<max=32>"}) {
      BuiltVariant &V = Variants.emplace_back(valueOf(parseVariant(Text)));
      V.Index = Report.Variants.size();
      V.Row.Efficiency = V.Row.Utilization = double(3 - V.Index);
      Report.Variants.push_back(V.Row);
    }
    markPareto(Report.Variants);
  }
  BatchChooser chooser(bool All = false) const {
    BatchOptions Options;
    Options.All = All;
    Options.AtLeast = 0;
    return {Options, partsOf(Variants), {}};
  }
  RowChecks checks() {
    return {Report,
            Variants,
            [this](const BuiltVariant &V, const BuiltVariant &, CheckDepth, VariantResult &Row) {
              std::lock_guard<std::mutex> Guard(Lock);
              CheckedOnCpu.push_back(V.Index);
              bool IsWrong = WrongOnCpu.contains(V.Index);
              Row.OnCpu.Outcome = IsWrong ? CheckOutcome::Wrong : CheckOutcome::Bitwise;
              if (IsWrong)
                Row.Status = VariantStatus::Wrong;
            },
            [this](const BuiltVariant &) { return &Reference; },
            {CheckDepth::Usual, /*Jobs=*/1, /*Behind=*/false, {}},
            nullptr};
  }

private:
  BuiltVariant Reference{Variant()};
  std::mutex Lock;
};

} // namespace gpuprune::test

#endif // GPUPRUNE_TEST_UNIT_DRIVER_PHASETESTING_H
