//===- ModelPhase.cpp - The phase that models times ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/ModelPhase.h"
#include "ResultJoin.h"
#include "gpuprune/Driver/Phase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ThreadPool.h"

using namespace llvm;

namespace gpuprune {

static ModelledRow rowOf(const ModelledTime &Time) {
  return {Time.Ms, Time.QueuedMs, Time.Bound, Time.IsEstimated, join(Time.Notes, "; ")};
}

/// The source as written first, since without it there is no choice.
std::vector<ModelPhase::Program> ModelPhase::programs(ArrayRef<size_t> Order) {
  std::vector<Program> All;
  StringMap<size_t> Known;
  auto Add = [&](const BuiltVariant &V, VariantResult &Row) {
    std::string Key = Asked.KeyOf(V);
    auto [Entry, IsNew] =
        Known.try_emplace(Key.empty() ? formatv("#{0}", All.size()).str() : Key, All.size());
    if (IsNew)
      All.push_back({&V, {}});
    All[Entry->second].Rows.push_back(&Row);
  };
  if (Report.Stock.canRun() && Stock.Code)
    Add(Stock, Report.Stock);
  for (size_t Row : Order)
    if (Report.Variants[Row].canRun() && Variants[Row].Code)
      Add(Variants[Row], Report.Variants[Row]);
  return All;
}

/// On any thread.
void ModelPhase::model(Program &P) const {
  P.IsSkipped = Limit.modellingOver();
  if (P.IsSkipped)
    (Asked.Model ? P.Modelled.Note : P.Scheduled.Note) =
        formatv("the budget of {0} s left no time for it", Limit.seconds());
  if (Asked.Model && !P.IsSkipped) {
    if (Expected<ModelledTime> Time = Asked.Model(*P.V))
      P.Modelled = rowOf(*Time);
    else
      P.Modelled.Note = toString(Time.takeError());
  }
  if (Asked.Schedule && !P.IsSkipped) {
    if (Expected<ScheduledRow> Row = Asked.Schedule(*P.V))
      P.Scheduled = std::move(*Row);
    else
      P.Scheduled.Note = toString(Row.takeError());
  }
  Shown.step();
}

size_t ModelPhase::run(ArrayRef<size_t> Order) {
  std::vector<Program> All = programs(Order);
  Shown.begin("model", All.size());
  {
    DefaultThreadPool Pool(hardware_concurrency(Asked.Jobs));
    for (Program &P : All)
      Pool.async([this, &P] { model(P); });
    Pool.wait();
  }
  Shown.end();
  size_t Skipped = 0;
  for (const Program &P : All)
    for (VariantResult *Row : P.Rows) {
      Row->Modelled = P.Modelled;
      Row->Scheduled = P.Scheduled;
      Skipped += P.IsSkipped && Row != &Report.Stock;
    }
  copyTwins(Report);
  return Skipped;
}

} // namespace gpuprune
