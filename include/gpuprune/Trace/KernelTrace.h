//===- KernelTrace.h - A kernel's accesses to memory, from its PTX ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the part of a kernel that its addresses and branches depend on, a warp at a time, and tells of each
// access to global, shared and constant memory and of each conditional branch. What is stored is remembered
// only where something that is loaded decides on an address or a branch, and loads of other values are told
// of and not done. Lanes that part run one after another up to where they meet again.
//
// Not traced, and refused with a reason: calls, indirect branches, barriers that not all threads of a warp
// reach together, and operations that Operations.h does not know, where an address or a branch needs them.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRACE_KERNELTRACE_H
#define GPUPRUNE_TRACE_KERNELTRACE_H

#include "gpuprune/Analysis/InstructionClass.h"
#include "gpuprune/HostExecution/MemoryAccess.h"
#include "gpuprune/MachineCode/FlowGraph.h"
#include "gpuprune/Support/Dim3.h"
#include "gpuprune/Trace/TraceMemory.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <limits>

namespace gpuprune {

struct TracedLaunch {
  Dim3 Grid, Block;
  uint64_t SharedBytes = 0;                  ///< Dynamic.
  std::vector<std::vector<char>> Parameters; ///< What each holds; pointers are addresses of the memory.
  /// What variables of the module hold, by symbol; others hold what PTX says.
  llvm::StringMap<TraceMemory::Fill> Variables;
};

struct TraceLimits {
  /// After so many iterations of a loop, a warp leaves it as if its condition had said so.
  uint64_t Iterations = std::numeric_limits<uint64_t>::max();
  /// Instructions that the warps of a block execute.
  uint64_t Steps = std::numeric_limits<uint64_t>::max();
};

struct TracedBlock {
  uint64_t Steps = 0;         ///< That were executed.
  bool LeftLoops = false;     ///< TraceLimits::Iterations was reached.
  bool RanOutOfSteps = false; ///< The block was not run to its end.
};

/// Accesses have a number of Bytes, branches none.
using TraceSink = std::function<void(const WarpAccess &)>;

struct WarpProgram;

class KernelTrace {
public:
  /// Of the kernel \p Symbol in \p Ptx, whose blocks are \p Flow. \p Memory gets its variables; both outlive
  /// this. Errors: CodeGen, and Refused for what is not traced.
  static llvm::Expected<KernelTrace> create(llvm::StringRef Ptx, llvm::StringRef Symbol,
                                            const FlowGraph &Flow, TracedLaunch Launch, TraceMemory &Memory);
  KernelTrace(KernelTrace &&);
  ~KernelTrace();

  /// Refused where the kernel does what is not traced or reads what is in no buffer.
  llvm::Expected<TracedBlock> run(uint64_t Block, const TraceLimits &Limits, const TraceSink &Sink);

  /// The block of each site as PTX names it.
  llvm::ArrayRef<std::optional<unsigned>> sites() const { return Sites; }

  /// Steps of a thread that executes \p Blocks, an access counting \p OfAccess, if no loop has more than \p
  /// Iterations.
  double steps(llvm::ArrayRef<PtxBlockExecutions> Blocks, uint64_t Iterations, double OfAccess) const;

private:
  struct Implementation;
  explicit KernelTrace(std::unique_ptr<Implementation> Impl);
  std::unique_ptr<Implementation> Impl;
  std::vector<std::optional<unsigned>> Sites;
};

} // namespace gpuprune

#endif // GPUPRUNE_TRACE_KERNELTRACE_H
