//===- ThreadTable.h - A launch of any threads one likes ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_THREADTABLE_H
#define GPUPRUNE_LIB_HOSTEXECUTION_THREADTABLE_H

#include "gpuprune/Support/Dim3.h"
#include "llvm/ADT/StringRef.h"
#include <array>

namespace llvm {
class Function;
}

namespace gpuprune {

/// blockIdx and threadIdx of a thread.
using ThreadPlace = std::array<int32_t, 6>;

/// The variable that holds the address of the table.
constexpr llvm::StringLiteral ThreadTableVariable = "gpuprune.thread.table";

/// Whether the threads of \p Kernel neither meet nor share memory nor read anything that
/// tells where they are but blockIdx and threadIdx.
bool threadsAreIndependent(const llvm::Function &Kernel);

/// Makes \p Kernel, whose threads are independent, take blockIdx and threadIdx from a
/// table of ThreadPlace: thread t of block b, of a launch in one dimension with blocks
/// of \p RowThreads, from its row b * RowThreads + t. Extents are those of \p Grid and
/// \p Block whatever is launched.
void readThreadTable(llvm::Function &Kernel, const Dim3 &Grid, const Dim3 &Block, uint64_t RowThreads);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_THREADTABLE_H
