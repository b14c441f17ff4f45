//===- FastestTimes.h - The fastest so far, as a limit for what follows ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is far slower than the fastest so far need not be timed to the end. The
// client lowers limits by all it knows when it sends a job; the runner, which may
// have the job while another runs, by its own results when it begins it. So a job
// sent ahead has the limits that it would have had later.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_RUNTIME_FASTESTTIMES_H
#define GPUPRUNE_RUNTIME_FASTESTTIMES_H

#include "gpuprune/Runtime/Protocol.h"
#include <map>

namespace gpuprune {

class FastestTimes {
public:
  void note(const protocol::Job &J, const protocol::Result &R);
  /// As Measure::Watchdog and Measure::ClearlySlower say.
  void lowerLimits(protocol::Job &J) const;

private:
  /// By the problem they are timed over, and the launches before what is timed.
  std::map<std::string, double> OfAllMs;
  std::map<std::string, double> OfContestsMs; ///< The same of those that may win.
};

} // namespace gpuprune

#endif // GPUPRUNE_RUNTIME_FASTESTTIMES_H
