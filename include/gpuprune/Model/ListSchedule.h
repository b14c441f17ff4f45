//===- ListSchedule.h - Cycles of one thread by list scheduling -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cycle model of Liang et al., ASP-DAC 2013, section III, over machine code:
//
//   Cycle(kernel) = sum over the basic blocks b of Cycle[b] * Freq[b]          (equation 1)
//
// Cycle[b]: the instructions of b are scheduled, one a cycle, of those that are ready the one with the
// longest way to the end of the block; a block takes until its last instruction is finished. An instruction
// is ready
//
//   RAW  when the instructions whose results it reads are finished,
//   WAW  when those that write what it writes are finished,
//   WAR  a cycle after those that read what it writes were scheduled.
//
// Registers are not renamed, since the model has to tell allocations of registers apart. It knows neither
// other warps nor dependences through memory nor control bits.
//
// Freq[b]: MachineExecutions.h.
//
// Control and other miscellaneous instructions take 1 cycle. An access to global memory, a load or a store,
// takes the mean latency that follows from the hit ratios of the kernel as written (globalLatencies()). What
// else arithmetic and memory instructions take: Rates.def.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_MODEL_LISTSCHEDULE_H
#define GPUPRUNE_MODEL_LISTSCHEDULE_H

#include "gpuprune/Model/MachineExecutions.h"
#include "gpuprune/Model/WarpCost.h"

namespace gpuprune {

struct ScheduleLatencies {
  const ModelRates &Rates;
  GlobalLatencies Global;
};

/// Cycles from when \p I is scheduled until it is finished, at least 1.
double scheduledLatency(const DecodedInstruction &I, const ScheduleLatencies &Latencies);

/// Cycle[b] of the instructions of one basic block.
double scheduledCycles(llvm::ArrayRef<DecodedInstruction> Block, const ScheduleLatencies &Latencies);

struct ThreadCycles {
  double Cycles = 0;
  std::vector<std::string> Assumed; ///< What makes it an estimate; empty where nothing does.
};

/// Equation 1. \p Counts are those of the kernel that \p Ptx is the flow of.
ThreadCycles threadCycles(const KernelCode &Code, const FlowGraph &Ptx,
                          llvm::ArrayRef<PtxBlockExecutions> Counts, const ScheduleLatencies &Latencies);

} // namespace gpuprune

#endif // GPUPRUNE_MODEL_LISTSCHEDULE_H
