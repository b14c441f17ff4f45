//===- RegionCounter.h - Blocking regions as Ryoo defines them ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ryoo et al., "Program Optimization Space Pruning for a Multithreaded GPU", CGO
// 2008, section 4: Regions is the number of dynamic instruction intervals
// delimited by blocking instructions or by the start or end of the kernel.
//
//   * A barrier, a fence and a wait for asynchronous copies block.
//   * A long-latency load blocks: global, local, texture or generic memory, or
//     an atomic whose result is used. Shared, constant and parameter loads do not.
//   * "Sequences of independent, long-latency loads are considered a unit." A load
//     joins the open unit unless it must wait for it: its operands derive from a
//     load of the unit, or it may read what a store of such a value wrote. What
//     merely uses the data does not close the unit, for ptxas issues the
//     independent loads before it: the copy of two tiles into shared memory,
//     "ld a; st a; ld b; st b" in the PTX, is the paper's pair of loads and one
//     unit. A blocking instruction and the end of the block close the unit.
//   * "We consider SFU instructions to have long latency when longer latency
//     operations are not present": not in the innermost loop around them, or,
//     outside of loops, not in the kernel. They form units by the same rule.
//
// Regions = 1 + the sum over the blocks of executions x units.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_ANALYSIS_REGIONCOUNTER_H
#define GPUPRUNE_ANALYSIS_REGIONCOUNTER_H

#include "gpuprune/Analysis/InstructionClass.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"

namespace gpuprune {

/// What the counter needs to know of one instruction. Values (virtual registers,
/// or values of the IR) go by numbers that the caller chooses.
struct RegionInstruction {
  InstructionClass Class = InstructionClass::Other;
  /// Waits: for other threads, for memory or for copies.
  bool Blocks = false;
  /// An atomic whose result is used.
  bool UsesResult = false;
  /// A load that no store of the kernel can change.
  bool Invariant = false;
  llvm::ArrayRef<uint64_t> Reads;
  llvm::ArrayRef<uint64_t> Defines;
};

/// Counts the units of one block, instruction by instruction.
class RegionCounter {
public:
  void step(const RegionInstruction &I);

  /// Units that end regions whatever else is there.
  unsigned units() const { return Slow.Units; }
  /// Units of special-function instructions, for where nothing slower is.
  unsigned specialUnits() const { return Special.Units; }

private:
  /// A unit being formed and what depends on it.
  struct Tracker {
    unsigned Units = 0;
    bool Open = false;
    llvm::DenseSet<uint64_t> Dependent;
    unsigned TaintedSpaces = 0;

    void close();
    void step(const RegionInstruction &I, bool JoinsUnit);
  };
  Tracker Slow, Special;
};

/// Units of one block together with where it lies.
struct BlockUnits {
  double Executions = 0;
  unsigned Units = 0;
  unsigned SpecialUnits = 0;
  /// Numbers of the loops around the block, outermost first; empty outside loops.
  llvm::SmallVector<unsigned, 4> Loops;
};

/// 1 + executions x units over \p Blocks; special-function units count where the
/// innermost loop (outside of loops: the whole of \p Blocks) executes no other.
double countRegions(llvm::ArrayRef<BlockUnits> Blocks);

} // namespace gpuprune

#endif // GPUPRUNE_ANALYSIS_REGIONCOUNTER_H
