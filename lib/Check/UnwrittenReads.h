//===- UnwrittenReads.h - What a sequence reads that nothing wrote ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two runs over different initial contents of out buffers tell that a result depends on what
// nobody has written, but not who read it: the buffer that differs may belong to a later launch.
// To say so, the sequence is run once more with its accesses to memory watched.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_CHECK_UNWRITTENREADS_H
#define GPUPRUNE_LIB_CHECK_UNWRITTENREADS_H

#include "gpuprune/Variant/HostProblem.h"
#include "gpuprune/Variant/VariantBuilder.h"

namespace gpuprune {

/// The prepared kernel of a launch, by index of Workload::Launches.
using PreparedKernels = llvm::function_ref<const BuiltVariant &(unsigned Launch)>;

/// Runs the launches of \p Problem, which \p W gives at a size, one after the other on the CPU, and returns
/// the first read of a buffer with the role out or temp that no launch in front of it has written, such as
/// "launch 2 ('b') reads element 512 of 't' (temp), which no launch before it has written (launch 1 writes
/// elements 0 to 511)". Empty: there is none, something else is wrong before it, or the CPU cannot tell.
std::string firstUnwrittenRead(const Workload &W, const ResolvedProblem &Problem, PreparedKernels Kernels);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_CHECK_UNWRITTENREADS_H
