//===- SpeedOfLight.cpp - The least time that a kernel can take -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Model/SpeedOfLight.h"

using namespace llvm;

namespace gpuprune {

std::optional<SpeedOfLight> speedOfLight(const ModelledTime &Time, double ClockMhz) {
  if (Time.IsEstimated || ClockMhz <= 0)
    return std::nullopt;
  SpeedOfLight Light;
  Light.ClockMhz = ClockMhz;
  for (size_t Index = 0; Index != NumModelTerms; ++Index) {
    auto Term = ModelTerm(Index);
    if (Term == ModelTerm::Latency || Term == ModelTerm::Blocks)
      continue;
    double Ms = Term == ModelTerm::Dram ? Time.ms(Term) : Time[Term] / (ClockMhz * 1e3);
    if (Ms > Light.Ms) {
      Light.Ms = Ms;
      Light.Bound = Term;
    }
  }
  return Light.Ms > 0 ? std::optional(Light) : std::nullopt;
}

} // namespace gpuprune
