//===- BlockReductions.h - Barriers that reduce a condition of all threads --===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// __syncthreads_and, _or and _count (PTX ISA, "barrier{.cta}.red"). Logical blocks
// have a barrier each, with the block's own result. Logical threads have the result
// of all in common: of the conditions of a thread's replicas one is made,
//
//   n = count(c);   ->   and(c0 && c1), or(c0 || c1), count(c0) + count(c1)
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_BLOCKREDUCTIONS_H
#define GPUPRUNE_LIB_TRANSFORMS_BLOCKREDUCTIONS_H

#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

namespace gpuprune {

/// A barrier of all threads of the block with a result that is the same for all of them.
bool isBlockReduction(const llvm::Instruction &I);

/// One that counts the threads for which the condition holds.
bool isBlockCount(const llvm::Instruction &I);

/// Lets what \p F reduces by `and` and `or` be asked for all replicas (FastPath.h).
void reduceForAllReplicas(llvm::Function &F);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_BLOCKREDUCTIONS_H
