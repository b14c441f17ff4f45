//===- SearchReplay.cpp - What a search would have found -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Evaluate/SearchReplay.h"
#include "gpuprune/Search/ModelChoice.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprune {

/// What is known of \p Recorded before anything is measured.
static VariantResult unmeasured(const VariantResult &Recorded) {
  VariantResult Row = Recorded;
  Row.OnGpu = {};
  Row.Pareto = false;
  if (Row.Status == VariantStatus::Slow)
    Row.Status = VariantStatus::Ok;
  return Row;
}

std::optional<double> bestTime(ArrayRef<VariantResult> Recorded) {
  std::optional<double> Best;
  for (const VariantResult &Row : Recorded)
    if (Row.OnGpu.MedianMs && Row.mayWin())
      Best = std::min(Best.value_or(*Row.OnGpu.MedianMs), *Row.OnGpu.MedianMs);
  return Best;
}

static void countMeasured(const VariantResult &Row, size_t Variants, std::optional<double> BestOfAll,
                          Replayed &Result) {
  ++Result.Measured;
  if (Row.OnGpu.MedianMs) {
    Result.MeasuredMs += *Row.OnGpu.MedianMs;
    if (Row.mayWin())
      Result.BestMs = std::min(Result.BestMs.value_or(*Row.OnGpu.MedianMs), *Row.OnGpu.MedianMs);
  }
  Result.BestAfter.push_back(Result.BestMs);
  if (Result.Measured <= std::max<size_t>(5, Variants / 100))
    Result.EarlyMs = Result.BestMs;
  if (Result.Measured <= std::max<size_t>(10, 3 * Variants / 100))
    Result.LaterMs = Result.BestMs;
  for (auto [Until, Within] : {std::pair(&Result.Until3, 1.03), {&Result.Until1, 1.01}})
    if (*Until == 0 && Result.BestMs && BestOfAll && *Result.BestMs <= Within * *BestOfAll)
      *Until = Result.Measured;
}

/// All that \p Search wants of \p Rows.
static void measureWanted(Strategy &Search, ArrayRef<VariantResult> Recorded,
                          MutableArrayRef<VariantResult> Rows, Replayed &Result) {
  std::optional<double> BestOfAll = bestTime(Recorded);
  for (std::vector<size_t> Batch; !(Batch = Search.nextBatch(Rows)).empty();)
    for (size_t Row : Batch) {
      Rows[Row].OnGpu = Recorded[Row].OnGpu;
      if (!Rows[Row].OnGpu.MedianMs)
        Rows[Row].Status = VariantStatus::Skipped;
      countMeasured(Rows[Row], Rows.size(), BestOfAll, Result);
    }
}

Replayed replaySearch(Strategy &Search, ArrayRef<VariantResult> Recorded) {
  auto Unmeasured = map_range(Recorded, unmeasured);
  std::vector<VariantResult> Rows(Unmeasured.begin(), Unmeasured.end());
  Replayed Result;
  measureWanted(Search, Recorded, Rows, Result);
  return Result;
}

Replayed replayBeside(Strategy &Early, Strategy &Search, ArrayRef<VariantResult> Recorded,
                      ArrayRef<std::vector<size_t>> Portions) {
  std::vector<VariantResult> Rows(Recorded.size());
  for (VariantResult &Row : Rows)
    Row.Status = VariantStatus::Skipped;
  Replayed Result;
  for (const std::vector<size_t> &Portion : Portions) {
    for (size_t Row : Portion)
      Rows[Row] = unmeasured(Recorded[Row]);
    measureWanted(Early, Recorded, Rows, Result);
  }
  measureWanted(Search, Recorded, Rows, Result);
  return Result;
}

Replayed replayModelChoice(ArrayRef<VariantResult> Recorded, const VariantResult &Stock) {
  std::optional<size_t> Row = chooseByModel(Recorded, Stock.Modelled).row();
  Replayed Result;
  Result.BestMs = Result.EarlyMs = Result.LaterMs = (Row ? Recorded[*Row] : Stock).OnGpu.MedianMs;
  return Result;
}

} // namespace gpuprune
