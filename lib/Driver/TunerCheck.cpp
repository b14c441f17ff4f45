//===- TunerCheck.cpp - The phase that checks on the CPU ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ResultJoin.h"
#include "gpuprune/Driver/Tuner.h"
#include "gpuprune/Search/Pareto.h"
#include "gpuprune/Support/CpuTime.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ThreadPool.h"

using namespace llvm;

namespace gpuprune {

bool Tuner::checksOnCpu() const {
  return Options.Check != CheckMode::Off && Options.StopAfter >= Phase::Check;
}

static bool canRun(const VariantResult &Row) {
  return !Row.isDuplicate() && (Row.Status == VariantStatus::Ok || Row.Status == VariantStatus::Spills);
}

void Tuner::checkOnCpu(ArrayRef<size_t> Rows, CheckDepth Depth) {
  if (!Oracle || Rows.empty())
    return;
  double CpuBefore = processCpuMs();
  Shown.begin(phaseName(Phase::Check), Rows.size());
  DefaultThreadPool Pool(hardware_concurrency(Options.Jobs));
  for (size_t Row : Rows)
    Pool.async([this, Row, Depth] {
      if (const BuiltVariant *Reference = referenceOf(Variants[Row]))
        Oracle->check(Variants[Row], *Reference, Depth, Report.Variants[Row]);
      Shown.step();
    });
  Pool.wait();
  Shown.end();
  Report.CheckCpuMs += processCpuMs() - CpuBefore;
}

CheckDepth Tuner::checkDepth() const {
  return Options.Check == CheckMode::Quick ? CheckDepth::Smallest
         : Options.Check == CheckMode::All ? CheckDepth::All
                                           : CheckDepth::Usual;
}

/// What the strategy wants next and the CPU finds nothing wrong with.
std::vector<size_t> Tuner::nextCheckedBatch() {
  if (!Oracle)
    return nextBatch();
  std::vector<size_t> Right;
  // Where a variant is wrong, those that only it kept off the set come next.
  for (std::vector<size_t> Batch = nextBatch(); !Batch.empty(); Batch = nextBatch()) {
    checkOnCpu(Batch, checkDepth());
    copy_if(Batch, std::back_inserter(Right), [&](size_t Row) { return canRun(Report.Variants[Row]); });
  }
  return Right;
}

/// Checks what is about to be measured, which is the result, and then the rest.
std::vector<size_t> Tuner::checkPhase() {
  std::vector<size_t> Batch = nextCheckedBatch();
  if (!Oracle)
    return Batch;
  std::vector<size_t> Rest;
  for (const auto &[Index, Row] : llvm::enumerate(Report.Variants))
    if (canRun(Row) && !is_contained(Batch, Index))
      Rest.push_back(Index);
  if (!Limit->assemblingOver())
    checkOnCpu(Rest, Options.Check == CheckMode::All ? CheckDepth::All : CheckDepth::Smallest);
  copyTwins(Report);
  ParetoOptions Pruning;
  Pruning.KeepSpills = Options.KeepSpills;
  markPareto(Report.Variants, Pruning);
  return Batch;
}

} // namespace gpuprune
