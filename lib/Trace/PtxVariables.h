//===- PtxVariables.h - What PTX declares outside of instructions -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRACE_PTXVARIABLES_H
#define GPUPRUNE_LIB_TRACE_PTXVARIABLES_H

#include "PtxKernel.h"

namespace gpuprune {

/// "%tid.x", "%laneid".
bool isSpecialPtxRegister(llvm::StringRef Name);

/// Of the declaration ".shared .align 16 .b8 tile[2048]", divided behind its first word; none of others.
std::optional<PtxVariable> ptxVariable(llvm::StringRef Space, llvm::StringRef Rest);

/// Adds those outside of functions.
void readModuleVariables(llvm::StringRef Ptx, std::vector<PtxVariable> &Variables);

/// The positions of the parameters of \p Kernel.
void readParameters(llvm::StringRef Ptx, llvm::StringRef Kernel, llvm::StringMap<unsigned> &Parameters);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRACE_PTXVARIABLES_H
