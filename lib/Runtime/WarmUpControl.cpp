//===- WarmUpControl.cpp - When a program is warm ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WarmUpControl.h"
#include <algorithm>
#include <cmath>

namespace gpuprune {

/// Runs a sample averages over at most, however short a run is.
static constexpr uint32_t MaxBatch = 10000;
/// Timings that must agree.
static constexpr size_t WindowSize = 3;
/// Timings of one warm-up at most, for runs so short that the cap in time is far.
static constexpr uint32_t MaxTimings = 1000;
/// Clocks rise within a run as long as this: it is not slow because it is the first.
static constexpr double LongRunMs = 100;

void WarmUpControl::chooseBatch(double RunMs) {
  // A flushed cache serves one run only.
  if (!M.MinSampleMs || M.FlushL2 || RunMs * Batch >= *M.MinSampleMs)
    return;
  double Wanted = RunMs > 0 ? std::ceil(*M.MinSampleMs / RunMs) : MaxBatch;
  uint32_t Chosen = static_cast<uint32_t>(std::min<double>(Wanted, MaxBatch));
  if (Chosen == Batch)
    return;
  Batch = Chosen;
  Window.clear();
}

void WarmUpControl::add(double RunMs) {
  Runs += Batch;
  ++Timings;
  TotalMs += RunMs * Batch;
  Fastest = Timings == 1 ? RunMs : std::min(Fastest, RunMs);
  Window.push_back(RunMs);
  if (Window.size() > WindowSize)
    Window.erase(Window.begin());
  if (Runs >= M.Warmup)
    chooseBatch(RunMs);
}

bool WarmUpControl::canJudge() const { return Runs >= std::max(M.Warmup, 1u) || Fastest > LongRunMs; }

bool WarmUpControl::fillsSample() const {
  return !M.MinSampleMs || M.FlushL2 || Batch > 1 || Fastest >= *M.MinSampleMs;
}

std::optional<double> WarmUpControl::fastestBatchMs() const {
  if (!canJudge() || !fillsSample() || Window.empty())
    return std::nullopt;
  return *std::min_element(Window.begin(), Window.end());
}

bool WarmUpControl::agree() const {
  if (Window.size() < 2)
    return false;
  auto [Least, Most] = std::minmax_element(Window.begin(), Window.end());
  return *Most - *Least <= M.StableWithin * *Least;
}

bool WarmUpControl::atCap() const { return TotalMs >= M.MaxWarmupMs || Timings >= MaxTimings; }

bool WarmUpControl::done() const {
  if (Runs < std::max(M.Warmup, 1u))
    return false;
  return M.StableWithin == 0 || atCap() || (Window.size() == WindowSize && agree());
}

protocol::WarmUp WarmUpControl::result() const { return {Runs, TotalMs, M.StableWithin == 0 || agree()}; }

} // namespace gpuprune
