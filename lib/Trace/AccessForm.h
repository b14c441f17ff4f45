//===- AccessForm.h - Loads, stores and atomic operations of PTX ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRACE_ACCESSFORM_H
#define GPUPRUNE_LIB_TRACE_ACCESSFORM_H

#include "WarpProgram.h"

namespace gpuprune {

/// What \p I does to memory, without registers: two of a copy, none of other instructions. Refused for
/// those whose size is not known.
llvm::Expected<llvm::SmallVector<TraceAccess, 2>> accessForms(const TracedInstruction &I);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRACE_ACCESSFORM_H
