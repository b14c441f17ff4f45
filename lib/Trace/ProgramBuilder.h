//===- ProgramBuilder.h - A kernel's needed parts as a program for warps ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRACE_PROGRAMBUILDER_H
#define GPUPRUNE_LIB_TRACE_PROGRAMBUILDER_H

#include "NeededParts.h"
#include "gpuprune/MachineCode/FlowGraph.h"

namespace gpuprune {

/// Where each variable is: an address in its memory.
using VariableAddresses = llvm::StringMap<uint64_t>;

/// The program of \p Kernel for \p Launch. \p Sites gets the block of each site. Refused for what is not
/// traced.
llvm::Expected<WarpProgram> buildProgram(const PtxKernel &Kernel, const NeededParts &Parts,
                                         const FlowGraph &Flow, const TracedLaunch &Launch,
                                         const VariableAddresses &Variables,
                                         std::vector<std::optional<unsigned>> &Sites);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRACE_PROGRAMBUILDER_H
