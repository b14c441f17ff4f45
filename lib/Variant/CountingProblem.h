//===- CountingProblem.h - A launch whose blocks are to be counted --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_VARIANT_COUNTINGPROBLEM_H
#define GPUPRUNE_LIB_VARIANT_COUNTINGPROBLEM_H

#include "gpuprune/CodeGen/VariantCompiler.h"
#include "gpuprune/HostExecution/BlockCounts.h"
#include "gpuprune/Trace/KernelTrace.h"
#include "gpuprune/Variant/ProtocolBuffers.h"
#include "gpuprune/Workload/Problem.h"

namespace gpuprune {

/// The problem's buffers, as kernels find them.
class CountingProblem {
public:
  explicit CountingProblem(ResolvedProblem Shape);

  /// The launch with geometry and scalars; pointers are null.
  HostLaunch launch(const PhysicalLaunch &Launched) const;
  /// Fills \p Launch's pointers and \p Program's variables; \p Memory is new then.
  llvm::Error provide(HostProgram &Program, HostLaunch &Launch, GuardedMemory &Memory) const;
  /// \p Launched over buffers in \p Memory, which this outlives.
  llvm::Expected<TracedLaunch> trace(const PhysicalLaunch &Launched, TraceMemory &Memory) const;

private:
  ResolvedProblem Shape;
  std::vector<protocol::Buffer> Buffers;

  const ResolvedLaunch &shape() const { return Shape.tuned(); }
  llvm::Error checkArguments() const;
  TraceMemory::Fill fillOf(const protocol::Buffer &B) const;
  llvm::Error fillVariable(const HostProgram &Program, const protocol::Buffer &B) const;
};

/// Counts kernels of \p Problem, which were compiled with \p Defines, by running them on
/// the CPU over the contents of its buffers. Of these only what is touched is ever
/// filled, however large they are. \p Cache has to outlive what is returned; what is in
/// it was counted with the same \p Instructions.
BlockCounter blockCounter(ResolvedProblem Problem, std::string Defines, CountCache &Cache,
                          uint64_t Instructions = CountingRequest().Instructions);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_VARIANT_COUNTINGPROBLEM_H
