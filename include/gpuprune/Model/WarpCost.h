//===- WarpCost.h - What one warp takes of a multiprocessor -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_MODEL_WARPCOST_H
#define GPUPRUNE_MODEL_WARPCOST_H

#include "gpuprune/Device/DeviceInfo.h"
#include "gpuprune/Model/MachineExecutions.h"
#include "gpuprune/Model/Rates.h"

namespace gpuprune {

/// Cycles of one scheduler and its units, of all that a warp executes from begin to end.
struct WarpCost {
  double Alone = 0;    ///< Cycles that the warp takes if it has the SM to itself: control bits and latencies.
  double Issue = 0;    ///< Instructions.
  double Fma = 0;      ///< FP32, and integer multiplication, which half of the lanes do:
  double FmaHeavy = 0; ///< of these alone.
  double Alu = 0, Xu = 0, Fp64 = 0;
  double LocalBytes = 0; ///< Of a thread, through L1.
  double Shuffles = 0;   ///< Of the SM's shared-memory unit.
};

/// Of accesses to global memory, in cycles.
struct GlobalLatencies {
  double Load = 0, Atomic = 0;
};

/// Walks the instructions of each loop and those outside in their order:
///
///   t = max(t, counter[k]) for each barrier k that the instruction waits on
///   counter[its write barrier] = t + latency, counter[its read barrier] = t + SourceReadCycles
///   t += stall cycles
///
/// A loop is walked three times; the last one is the time of an iteration. Blocks that less than half of the
/// iterations pass are walked by themselves. Cycles are weighted by \p Executions.
WarpCost warpCost(const KernelCode &Code, const FlowGraph &Machine, const MachineExecutions &Executions,
                  const DeviceInfo &Device, const ModelRates &Rates, const GlobalLatencies &Global);

} // namespace gpuprune

#endif // GPUPRUNE_MODEL_WARPCOST_H
