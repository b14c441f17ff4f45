//===- AtomicSteps.h - What atomic operations leave in memory ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRACE_ATOMICSTEPS_H
#define GPUPRUNE_LIB_TRACE_ATOMICSTEPS_H

#include "WarpProgram.h"

namespace gpuprune {

/// Where \p Before was, after \p A with the operands \p X and, of a comparison, \p Y.
uint64_t afterAtomic(const TraceAccess &A, uint64_t Before, uint64_t X, uint64_t Y);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRACE_ATOMICSTEPS_H
