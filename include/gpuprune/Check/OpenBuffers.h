//===- OpenBuffers.h - Buffers whose bits are left open -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CHECK_OPENBUFFERS_H
#define GPUPRUNE_CHECK_OPENBUFFERS_H

#include "gpuprune/Analysis/FloatingPointFreedom.h"
#include "gpuprune/Runtime/Protocol.h"
#include "gpuprune/Workload/Problem.h"

namespace gpuprune {

/// The instruction of a kernel that leaves the bits of a buffer open; empty where they are fixed.
struct BufferFreedom {
  std::string BetweenVariants; ///< Of the same launch: a variant against its prepared kernel.
  std::string BetweenLaunches; ///< The prepared kernel against the author's launch.
};

/// Of each buffer of \p Problem: what its prepared kernel leaves open (\p Kernel), and between launches
/// what that of the author's launch does (\p Author), too. Integers and what a kernel only reads are never
/// open.
std::vector<BufferFreedom> bufferFreedom(const FloatingPointFreedom &Kernel,
                                         const FloatingPointFreedom &Author, const ResolvedProblem &Problem);

/// Adds \p Why to all buffers of \p Problem that may be open and have no reason yet.
void openAll(std::vector<BufferFreedom> &Buffers, const std::string &Why, const ResolvedProblem &Problem);

/// The same as the runner is told.
std::vector<protocol::OpenBuffer> openBuffers(llvm::ArrayRef<BufferFreedom> Buffers);

} // namespace gpuprune

#endif // GPUPRUNE_CHECK_OPENBUFFERS_H
