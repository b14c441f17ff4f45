//===- InstructionThroughput.h - What rates a class of instructions has ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_ANALYSIS_INSTRUCTIONTHROUGHPUT_H
#define GPUPRUNE_ANALYSIS_INSTRUCTIONTHROUGHPUT_H

#include "gpuprune/Analysis/InstructionClass.h"
#include "gpuprune/Device/DeviceInfo.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace gpuprune {

/// The kinds of throughput that instructions counted in \p Class have, the commonest
/// first; none for classes that NVIDIA's table does not have: memory, control,
/// moves, matrices, divisions (which are many instructions).
llvm::ArrayRef<Throughput> throughputsOf(InstructionClass Class);

/// Cycles of one SM that the instructions of \p Class in \p Counts take for one
/// warp, were they all of the class's commonest kind and nothing else in the way:
/// count * warp size / results a cycle. Nothing where the rate is not known.
std::optional<double> cyclesPerWarp(const DeviceInfo &Device, const KernelCounts &Counts,
                                    InstructionClass Class);

} // namespace gpuprune

#endif // GPUPRUNE_ANALYSIS_INSTRUCTIONTHROUGHPUT_H
