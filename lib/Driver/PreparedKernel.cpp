//===- PreparedKernel.cpp - A kernel that is prepared beside others -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PreparedKernel.h"
#include "gpuprune/Support/Background.h"

using namespace llvm;

namespace gpuprune {

static TuneOptions behind(TuneOptions Tuning) {
  Tuning.Jobs = threadsBehind(Tuning.Jobs);
  return Tuning;
}

PreparedKernel::PreparedKernel(Ask Tuning, std::shared_future<void> Before, const Progress &Like, bool Behind)
    : Shown(Like.held()) {
  Preparing = llvm::thread([this, Tuning = std::move(Tuning), Before = std::move(Before), Behind] {
    if (Before.valid())
      Before.wait();
    prepare(Tuning, Behind);
    IsOver.set_value();
  });
}

void PreparedKernel::prepare(const Ask &Tuning, bool Behind) {
  std::optional<TuneOptions> Asked = Tuning();
  if (!Asked)
    return;
  if (Behind)
    runBehind();
  Budget::Clock::time_point Begun = Budget::Clock::now();
  Run.emplace(Behind ? behind(std::move(*Asked)) : std::move(*Asked), Shown);
  if (Error E = Run->prepare())
    Failure = takeError(std::move(E));
  Seconds = std::chrono::duration<double>(Budget::Clock::now() - Begun).count();
}

void PreparedKernel::wait() {
  if (Preparing.joinable())
    Preparing.join();
}

bool PreparedKernel::await() {
  Shown.release();
  wait();
  return Run.has_value();
}

Expected<TuneReport> PreparedKernel::measure(std::optional<double> MostSeconds) {
  if (Failure)
    return makeError(Failure->Kind, Failure->Text);
  return Run->finish(MostSeconds);
}

} // namespace gpuprune
