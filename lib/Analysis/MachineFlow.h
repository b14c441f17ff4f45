//===- MachineFlow.h - Executions of machine blocks -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Carries the executions of IR blocks over to the blocks of the code generator.
// Blocks that have no IR block of their own follow from conservation of flow:
// what enters a block leaves it.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_ANALYSIS_MACHINEFLOW_H
#define GPUPRUNE_LIB_ANALYSIS_MACHINEFLOW_H

#include "gpuprune/Analysis/BlockFrequencies.h"
#include "llvm/ADT/DenseMap.h"

namespace llvm {
class MachineBasicBlock;
class MachineFunction;
} // namespace llvm

namespace gpuprune {

struct MachineFlow {
  llvm::DenseMap<const llvm::MachineBasicBlock *, double> Blocks;
  llvm::DenseMap<std::pair<const llvm::MachineBasicBlock *, const llvm::MachineBasicBlock *>, double> Edges;
  /// Each number follows from those of the IR, and no two contradict each other.
  bool Exact = true;
};

MachineFlow computeMachineFlow(const llvm::MachineFunction &MF, const FrequencyMap::Entry &Frequencies);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_ANALYSIS_MACHINEFLOW_H
