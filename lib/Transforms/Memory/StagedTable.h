//===- StagedTable.h - A table in a tile of shared memory -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_STAGEDTABLE_H
#define GPUPRUNE_LIB_TRANSFORMS_STAGEDTABLE_H

#include "gpuprune/Transforms/Refusal.h"
#include "llvm/IR/GlobalVariable.h"

namespace gpuprune {

/// Refuses TooLarge where the shared memory of \p F does not hold a copy of \p Table, too.
Verdict checkFitsShared(const llvm::Function &F, const llvm::GlobalVariable &Table);

/// A shared variable for a copy of \p Table.
llvm::GlobalVariable *createTile(llvm::GlobalVariable &Table);

/// Lets all threads of a block copy \p Table to \p Tile when \p F begins; a barrier follows.
void fillAtEntry(llvm::Function &F, llvm::GlobalVariable &Table, llvm::GlobalVariable &Tile);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_STAGEDTABLE_H
