//===- FlowGraph.h - Basic blocks and loops of machine code and PTX ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of both the same, so that the loops of one can be found in the other (LoopMatch.h).
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_MACHINECODE_FLOWGRAPH_H
#define GPUPRUNE_MACHINECODE_FLOWGRAPH_H

#include "gpuprune/MachineCode/KernelCode.h"
#include "llvm/ADT/StringRef.h"

namespace gpuprune {

/// What ptxas can neither add, remove nor duplicate without changing what a kernel does. Stores in bytes,
/// because it joins them.
struct FlowAnchors {
  uint64_t Barriers = 0, Atomics = 0, GlobalStoreBytes = 0, SharedStoreBytes = 0;

  bool operator==(const FlowAnchors &) const = default;
  FlowAnchors &operator+=(const FlowAnchors &Other);
  bool any() const { return *this != FlowAnchors(); }
  /// How often \p Part is in these, if these are nothing else; 0 if not.
  uint64_t multipleOf(const FlowAnchors &Part) const;
  void count(InstructionClass Class, uint64_t Bytes);
};

/// Whether an instruction of \p Class counts in FlowBlock::Work.
bool isWork(InstructionClass Class);

struct FlowBlock {
  size_t Begin = 0, End = 0; ///< Places of its instructions.
  std::vector<size_t> Successors;
  FlowAnchors Anchors;
  /// Floating-point operations, special functions, loads of global and shared memory: what ptxas neither adds
  /// nor removes, though it duplicates it.
  uint64_t Work = 0;
  std::optional<unsigned> Number; ///< In PTX, as KernelCounts::Blocks names it; the first block is 0.
};

/// A natural loop.
struct FlowLoop {
  size_t Header = 0;           ///< A block.
  std::vector<size_t> Blocks;  ///< With those of the loops inside, in order.
  std::optional<size_t> Outer; ///< A loop before this one.
  FlowAnchors Own, All;        ///< Without and with the loops inside.
};

struct FlowGraph {
  std::vector<FlowBlock> Blocks; ///< By their begin; the first is the entry.
  std::vector<FlowLoop> Loops;   ///< Outer ones first, else by their headers.
  /// False where a branch goes to a place that is computed: there may be more edges and loops.
  bool IsComplete = true;
};

/// A call goes to the function, if it is in the section, and to what is behind the call; a function's return
/// leads nowhere. So what ptxas's own functions do belongs to no loop of the caller.
FlowGraph machineFlow(const KernelCode &Code);

/// Of \p Kernel in PTX as LLVM writes it. CodeGen error where there is no such kernel.
llvm::Expected<FlowGraph> ptxFlow(llvm::StringRef Ptx, llvm::StringRef Kernel);

/// Fills Loops from Blocks.
void findLoops(FlowGraph &Graph);

/// For each block the first one that all ways from its end to the kernel's end pass: where threads that part
/// there meet again, but for those that return under a condition. None where all may end before.
std::vector<std::optional<size_t>> meetingBlocks(const FlowGraph &Graph);

} // namespace gpuprune

#endif // GPUPRUNE_MACHINECODE_FLOWGRAPH_H
