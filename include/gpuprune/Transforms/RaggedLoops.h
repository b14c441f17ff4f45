//===- RaggedLoops.h - Loops as long as memory says -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// for (i = start[row]; i < start[row + 1]; ++i): how often a ragged loop goes round is read from
// memory at a place that depends on the index of a thread or block, so that it differs between
// threads without any order. Jammed by a coarsening, the replicas go on together for no longer than
// the shortest of them.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_RAGGEDLOOPS_H
#define GPUPRUNE_TRANSFORMS_RAGGEDLOOPS_H

namespace llvm {
class Function;
}

namespace gpuprune {

/// Whether the prepared kernel \p F has a ragged loop.
bool hasRaggedLoops(llvm::Function &F);

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_RAGGEDLOOPS_H
