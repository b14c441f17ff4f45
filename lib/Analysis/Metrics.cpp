//===- Metrics.cpp - Efficiency and Utilization ---------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/Metrics.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace gpuprune {

static constexpr double Undefined = std::numeric_limits<double>::quiet_NaN();

double efficiency(double Instr, double Threads) {
  if (!(Instr > 0) || !(Threads > 0))
    return Undefined;
  return 1.0 / (Instr * Threads);
}

double utilization(double Instr, double Regions, unsigned WarpsPerBlock, unsigned BlocksPerSM) {
  if (!(Instr > 0) || !(Regions > 0) || WarpsPerBlock == 0 || BlocksPerSM == 0)
    return Undefined;
  double Warps = WarpsPerBlock;
  double Blocks = BlocksPerSM;
  return Instr / Regions * ((Warps - 1) / 2 + (Blocks - 1) * Warps);
}

double loadBalance(double Blocks, unsigned SMCount) {
  if (!(Blocks > 0) || SMCount == 0)
    return Undefined;
  double Mean = Blocks / SMCount;
  return Mean / std::ceil(Mean);
}

unsigned residentBlocks(double Blocks, unsigned SMCount, unsigned BlocksPerSM) {
  return static_cast<unsigned>(std::min<double>(BlocksPerSM, std::ceil(Blocks / SMCount)));
}

} // namespace gpuprune
