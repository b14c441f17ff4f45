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
#include "gpuprune/Workload/Problem.h"

namespace gpuprune {

/// Counts kernels of \p Problem, which were compiled with \p Defines, by running them on
/// the CPU over the contents of its buffers. Of these only what is touched is ever
/// filled, however large they are. \p Cache has to outlive what is returned; what is in
/// it was counted with the same \p Instructions.
BlockCounter blockCounter(ResolvedProblem Problem, std::string Defines, CountCache &Cache,
                          uint64_t Instructions = CountingRequest().Instructions);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_VARIANT_COUNTINGPROBLEM_H
