//===- MemoryTrace.h - A sample of a variant's accesses ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_VARIANT_MEMORYTRACE_H
#define GPUPRUNE_VARIANT_MEMORYTRACE_H

#include "gpuprune/MachineCode/FlowGraph.h"
#include "gpuprune/Model/MemoryProfile.h"
#include "gpuprune/Variant/VariantBuilder.h"

namespace gpuprune {

/// What to do with what cannot be traced. Running it takes up to some ten seconds.
enum class IfUntraced : uint8_t { Run, Refuse };

/// What a few blocks of the launch of \p Built do to memory, over the data of \p Problem at the size to tune:
/// traced, or if that is refused run. \p Flow is that of its PTX. Errors: those of runMemory(), and
/// where it may not be run, or Built has no FinalBitcode, which is needed for that, Refused with the reason
/// why it is not traced.
llvm::Expected<MemoryProfile> profileMemory(const BuiltVariant &Built, const FlowGraph &Flow,
                                            const ResolvedProblem &Problem, const DeviceInfo &Device,
                                            IfUntraced Else = IfUntraced::Run);

/// How much is traced at most, in steps of a warp: a ms, or two.
inline constexpr double MostTraceWork = 32768;

/// Of the PTX of \p Built. Loops that are too long for \p MostWork are left early, and what was seen of them
/// is scaled to the executions that Built's counts tell; and there may be fewer blocks. Errors: Refused (the
/// code is not traced, or a buffer is passed twice), CodeGen, and those of the buffers' fills.
llvm::Expected<MemoryProfile> traceMemory(const BuiltVariant &Built, const FlowGraph &Flow,
                                          const ResolvedProblem &Problem, const DeviceInfo &Device,
                                          double MostWork = MostTraceWork);

/// No further block is run once so many accesses and branches of threads are known: an iteration that is
/// unrolled or jammed has many.
inline constexpr uint64_t EnoughAccesses = uint64_t(1) << 18;

/// Compiles \p Built, which has its FinalBitcode, for the CPU and runs it. Long loops are not run to their
/// end, and there may be fewer blocks. Errors: Refused (the CPU cannot run it, or a buffer is passed twice),
/// Runner (the kernel faults), and those of the buffers' fills.
llvm::Expected<MemoryProfile> runMemory(const BuiltVariant &Built, const ResolvedProblem &Problem,
                                        const DeviceInfo &Device, uint64_t Enough = EnoughAccesses);

/// The blocks that are looked at, by their linear indices: one in the middle, the one beside it and the one
/// below, since what these share is counted once; then one in the middle of each quarter, since control flow
/// may differ.
std::vector<uint64_t> sampledBlocks(const Dim3 &Grid);

/// What a profile of \p Built scales to.
ProfiledLaunch profiledLaunch(const BuiltVariant &Built, const DeviceInfo &Device);

} // namespace gpuprune

#endif // GPUPRUNE_VARIANT_MEMORYTRACE_H
