//===- FastestTimes.cpp - The fastest so far, as a limit for what follows -===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Runtime/FastestTimes.h"

using namespace gpuprune::protocol;

namespace gpuprune {

/// What is timed over a problem of that name: launches of one sequence differ in how many come before them.
static std::string timedOver(const Job &J) {
  const Problem *Timed = findTimedProblem(J);
  return J.Timing->Problem + "\n" + std::to_string(Timed ? Timed->Candidate.Untimed : 0);
}

void FastestTimes::note(const Job &J, const Result &R) {
  if (R.Status != ResultStatus::Ok || !R.MedianMs || !J.Timing)
    return;
  auto Note = [&](std::map<std::string, double> &Fastest) {
    auto [Known, IsFirst] = Fastest.try_emplace(timedOver(J), *R.MedianMs);
    Known->second = std::min(Known->second, *R.MedianMs);
  };
  Note(OfAllMs);
  if (!J.Timing->Contests.empty())
    Note(OfContestsMs);
}

void FastestTimes::lowerLimits(Job &J) const {
  if (!J.Timing)
    return;
  auto Lower = [&](const std::map<std::string, double> &Fastest, const std::optional<double> &Factor,
                   std::optional<double> &Ms) {
    auto Found = Fastest.find(timedOver(J));
    if (!Factor || Found == Fastest.end())
      return;
    double Limit = *Factor * Found->second;
    Ms = std::min(Ms.value_or(Limit), Limit);
  };
  Lower(OfAllMs, J.Timing->Watchdog, J.Timing->LimitMs);
  Lower(OfContestsMs, J.Timing->ClearlySlower, J.Timing->ClearlySlowerMs);
}

} // namespace gpuprune
