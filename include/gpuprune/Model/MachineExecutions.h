//===- MachineExecutions.h - How often machine code is executed -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executions are known of the blocks of PTX (KernelCounts::Blocks). They are carried
// over to the blocks of machine code loop by loop (LoopMatch.h):
//
//   * A loop that was found goes round as often as in PTX, over its copies.
//   * Loops that were not found, beside each other: as many in both are taken in their order.
//     Else that with the most work does all that the loops of PTX do, and the others, what
//     ptxas made for the remainder, run once.
//   * A block that every iteration of its loop passes runs as often as the loop goes round.
//     Another one runs in the share of iterations of the blocks of PTX that not every iteration
//     passes: of those with the same work, barriers, stores and atomics, else of all of them,
//     weighted by their instructions; in half of the iterations where PTX has no such block.
//   * ptxas's own functions, slow paths, and blocks that call them do not run.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_MODEL_MACHINEEXECUTIONS_H
#define GPUPRUNE_MODEL_MACHINEEXECUTIONS_H

#include "gpuprune/MachineCode/LoopMatch.h"

namespace gpuprune {

struct MachineExecutions {
  std::vector<double> OfBlock;                  ///< By one thread, of each block of machine code.
  std::vector<std::optional<size_t>> Innermost; ///< The loop that a block is in.
  std::vector<double> Iterations;               ///< Of each loop of machine code, by one thread.
  /// What was assumed, for a person; empty where all loops were found.
  std::vector<std::string> Assumed;
};

/// \p Counts are those of the kernel that \p Ptx is the flow of.
MachineExecutions machineExecutions(const KernelCode &Code, const FlowGraph &Machine, const FlowGraph &Ptx,
                                    llvm::ArrayRef<PtxBlockExecutions> Counts);

} // namespace gpuprune

#endif // GPUPRUNE_MODEL_MACHINEEXECUTIONS_H
