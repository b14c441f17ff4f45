//===- SpeedOfLight.h - The least time that a kernel can take ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How long the busiest unit takes for what a kernel executes, if nothing ever waits: the largest of the
// throughput terms of the model. Latency and the starting of blocks are none of them, since more warps or
// other blocks may hide those.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_MODEL_SPEEDOFLIGHT_H
#define GPUPRUNE_MODEL_SPEEDOFLIGHT_H

#include "gpuprune/Model/KernelModel.h"

namespace gpuprune {

struct SpeedOfLight {
  double Ms = 0;
  ModelTerm Bound = ModelTerm::Dram;
  double ClockMhz = 0; ///< Of the SMs, at which that is so.
  bool operator==(const SpeedOfLight &) const = default;
};

/// Of the kernel that takes \p Time, on SMs at \p ClockMhz. Device memory has a clock of its own, so that its
/// term takes as long at any. Nothing where the model could not read all of the kernel.
std::optional<SpeedOfLight> speedOfLight(const ModelledTime &Time, double ClockMhz);

} // namespace gpuprune

#endif // GPUPRUNE_MODEL_SPEEDOFLIGHT_H
