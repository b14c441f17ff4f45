//===- UniformConstants.h - Constants through the uniform datapath ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A load of constants whose address all threads of a warp share, ULDC, goes through a cache of its partition
// of an SM: 8 sets of 4 lines of 64 bytes. Which set a line is in does not depend on its address but on the
// offset that is written in the instruction (bits 6 to 8), to which the register is added. So a loop that
// walks through a table by an instruction or two has one set for all of it, and the warps that are elsewhere
// in the loop take each other's lines. A miss takes as long as it takes alone: the next one waits.
//
// All this was measured on an H200 (test/benchmark/Inputs/constant-cache, docs/model.md); no published source
// is known.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_MODEL_UNIFORMCONSTANTS_H
#define GPUPRUNE_MODEL_UNIFORMCONSTANTS_H

#include "gpuprune/Model/MachineExecutions.h"

namespace gpuprune {

/// The warps of a partition that is full.
struct PartitionWarps {
  double Blocks = 1;  ///< That have warps there. Each is elsewhere in the kernel.
  double OfBlock = 1; ///< Warps of one of them, which walk together.
};

struct UniformConstants {
  double Missed = 0; ///< Lines, by one warp.
  double Share = 0;  ///< Of the loads of constants in loops: ULDC, the others being LDC.
};

/// Of loads in loops by a register. \p TableLines: lines of 64 bytes that the kernel reads of constants.
UniformConstants uniformConstants(const KernelCode &Code, const FlowGraph &Machine,
                                  const MachineExecutions &Executions, const PartitionWarps &Warps,
                                  double TableLines);

} // namespace gpuprune

#endif // GPUPRUNE_MODEL_UNIFORMCONSTANTS_H
