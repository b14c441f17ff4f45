//===- NeededParts.h - What addresses and branches depend on ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRACE_NEEDEDPARTS_H
#define GPUPRUNE_LIB_TRACE_NEEDEDPARTS_H

#include "WarpProgram.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuprune {

/// Instructions of a kernel by their places.
struct NeededParts {
  std::vector<llvm::SmallVector<uint32_t, 2>> Writers;     ///< By register.
  std::vector<llvm::SmallVector<TraceAccess, 2>> Accesses; ///< By instruction.
  llvm::BitVector Computes;                                ///< Whose results are needed.
  llvm::BitVector Moves; ///< Accesses whose effects on memory or registers are.
};

/// \p BufferOf: the buffer, by any number, that a parameter points to.
llvm::Expected<NeededParts>
neededParts(const PtxKernel &Kernel,
            llvm::function_ref<std::optional<uint64_t>(llvm::StringRef Parameter)> BufferOf);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRACE_NEEDEDPARTS_H
