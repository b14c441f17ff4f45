//===- LoopMatch.h - Loops of PTX found in machine code ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trip counts are known of the loops of PTX; what a loop costs says machine code. Loops
// at the same place of both nests are told apart by their anchors (FlowGraph.h), and
// those with the same anchors, if there are as many of them in both, by how much work
// they do and by their order. Where ptxas has unrolled a loop, its anchors are a multiple
// of what they were.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_MACHINECODE_LOOPMATCH_H
#define GPUPRUNE_MACHINECODE_LOOPMATCH_H

#include "gpuprune/MachineCode/FlowGraph.h"

namespace gpuprune {

/// What was found for a loop of PTX.
struct LoopMatch {
  std::optional<size_t> Machine; ///< Its number among the loops of machine code.
  /// With anchors of its own or inside; else only work, order and number speak for it.
  bool IsAnchored = false;
  /// Of the body in one iteration of machine code, more than one where ptxas has unrolled the loop. What is
  /// left over is executed outside.
  uint64_t Copies = 1;
  std::string Reason; ///< Why there is none.
};

struct LoopMatches {
  std::vector<LoopMatch> OfPtx;      ///< As many as loops.
  std::vector<size_t> OnlyInMachine; ///< Loops that ptxas made, of a division for instance.

  bool isComplete() const;
};

LoopMatches matchLoops(const FlowGraph &Ptx, const FlowGraph &Machine);

} // namespace gpuprune

#endif // GPUPRUNE_MACHINECODE_LOOPMATCH_H
