//===- WrittenParts.h - How much of its outputs a launch writes ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_CHECK_WRITTENPARTS_H
#define GPUPRUNE_LIB_CHECK_WRITTENPARTS_H

#include "gpuprune/Check/HostRuns.h"

namespace gpuprune {

/// Whether \p Run, which has outputs, leaves all out buffers unwritten and all inout buffers as they were:
/// then whatever is compared with it is right.
bool changesNothing(const KernelRun &Run);

/// The out buffers among its arguments of which \p Run writes half at most, with the share, as "21 % of
/// buffer out"; empty where there are none.
std::string littleWritten(const KernelRun &Run);

/// Where \p Problem, of a launch that accesses something outside of a buffer, has buffers of integers that
/// take the first elements of a file alone: that these may be indices which point beyond smaller buffers.
/// Else empty.
std::string indicesHint(const HostProblem &Problem);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_CHECK_WRITTENPARTS_H
