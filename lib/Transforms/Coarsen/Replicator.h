//===- Replicator.h - Carries out a plan of replication ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  a = f(b); if (a < n) g(a); c = a;
// After:   a0 = f(b0); a1 = f(b1);           jammed
//          if (a0 < n) g(a0);                a region: replica 0 ...
//          if (a1 < n) g(a1);                ... then replica 1
//          c0 = a0; c1 = a1;
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_REPLICATOR_H
#define GPUPRUNE_LIB_TRANSFORMS_REPLICATOR_H

#include "ReplicaPlan.h"
#include "llvm/IR/ValueHandle.h"

namespace gpuprune {

/// Shared arrays that were replaced, and what replaces them.
using TouchedArrays = llvm::SmallVector<llvm::WeakVH, 4>;

/// Carries \p Plan out on \p F. Replica 0 is what stands there. Arrays are added
/// to \p Arrays, copies to \p Dynamic, physical extents that it reads to \p Skip.
void replicate(llvm::Function &F, const Coarsening &C, ReplicaPlan &Plan, Untouched &Skip,
               TouchedArrays &Arrays, DynamicMemory &Dynamic);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_REPLICATOR_H
