//===- ReplicaInfluence.h - What differs between replicas --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A first answer for all dimensions together, before anything is planned: memory of
// a thread or block alone is followed by its variables, not by their elements.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_REPLICAINFLUENCE_H
#define GPUPRUNE_LIB_TRANSFORMS_REPLICAINFLUENCE_H

#include "Coarsening.h"
#include "Facts/Influence.h"

namespace gpuprune {

/// Whether \p I is an atomic operation on memory that replicas share, a system call, or
/// counts threads of which several become one: it happens once a replica even where no
/// operand differs.
bool isOncePerReplica(const llvm::Instruction &I, const Coarsening &C);

/// Whether \p I has one result for all replicas, whatever its operands.
bool isSameForAllReplicas(const llvm::Instruction &I, const Coarsening &C);

/// What depends on a coarsened index of \p F. What is asked for all replicas does not
/// differ between them.
Influence influenceOfReplica(llvm::Function &F, const Coarsening &C, const Untouched &Skip);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_REPLICAINFLUENCE_H
