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

/// The source as written first, since without it there is no choice; rows of programs that are known are
/// filled in.
std::vector<ModelPhase::Program> ModelPhase::programs(ArrayRef<size_t> Order) {
  std::vector<Program> All;
  StringMap<size_t> Places;
  auto Add = [&](const BuiltVariant &V, VariantResult &Row) {
    std::string Key = Asked.KeyOf(V);
    if (auto Found = Known.find(Key); Found != Known.end()) {
      Row.Modelled = Found->second.Modelled;
      Row.Scheduled = Found->second.Scheduled;
      return;
    }
    auto [Entry, IsNew] =
        Places.try_emplace(Key.empty() ? formatv("#{0}", All.size()).str() : Key, All.size());
    if (IsNew)
      All.push_back({&V, Key, {}});
    All[Entry->second].Rows.push_back(&Row);
  };
  if (Report.Stock.canRun() && Stock.Code && !std::exchange(KnowsStock, true))
    Add(Stock, Report.Stock);
  for (size_t Row : Order)
    // As it was built, whatever is known by now of what it is compared with.
    if (Variants[Row].Row.canRun() && Variants[Row].Code)
      Add(Variants[Row], Report.Variants[Row]);
  return All;
}

/// On any thread.
void ModelPhase::model(Program &P) const {
  auto &[Modelled, Scheduled] = P.Told;
  P.IsSkipped = Limit.modellingOver();
  if (P.IsSkipped)
    (Asked.Model ? Modelled.Note : Scheduled.Note) =
        formatv("the budget of {0} s left no time for it", Limit.seconds());
  if (Asked.Model && !P.IsSkipped) {
    if (Expected<ModelledTime> Time = Asked.Model(*P.V))
      Modelled = rowOf(*Time);
    else
      Modelled.Note = toString(Time.takeError());
  }
  if (Asked.Schedule && !P.IsSkipped) {
    if (Expected<ScheduledRow> Row = Asked.Schedule(*P.V))
      Scheduled = std::move(*Row);
    else
      Scheduled.Note = toString(Row.takeError());
  }
  if (!Asked.IsBeside)
    Shown.step();
}

size_t ModelPhase::run(ArrayRef<size_t> Order) {
  std::vector<Program> All = programs(Order);
  if (!Asked.IsBeside)
    Shown.begin("model", All.size());
  if (!All.empty()) {
    DefaultThreadPool Pool(hardware_concurrency(Asked.Jobs));
    for (Program &P : All)
      Pool.async([this, &P] { model(P); });
    Pool.wait();
  }
  if (!Asked.IsBeside)
    Shown.end();
  size_t Skipped = 0;
  for (const Program &P : All) {
    for (VariantResult *Row : P.Rows) {
      Row->Modelled = P.Told.Modelled;
      Row->Scheduled = P.Told.Scheduled;
      Skipped += P.IsSkipped && Row != &Report.Stock;
    }
    if (!P.Key.empty() && !P.IsSkipped)
      Known.try_emplace(P.Key, P.Told);
  }
  copyTwins(Report);
  return Skipped;
}

} // namespace gpuprune
