//===- ForAllReplicas.h - One question for all replicas ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_FORALLREPLICAS_H
#define GPUPRUNE_LIB_TRANSFORMS_FORALLREPLICAS_H

#include "llvm/IR/DerivedTypes.h"

namespace llvm {
class Instruction;
class Module;
} // namespace llvm

namespace gpuprune {

/// The function that asks whether its operand holds for all replicas.
llvm::FunctionCallee forAllReplicas(llvm::Module &M);

/// Whether \p I stands for "its operand holds for all replicas". The Replicator
/// completes the operand dimension by dimension.
bool isForAllReplicas(const llvm::Instruction &I);

/// Replaces each such question of \p F by its operand, once all is replicated.
void answerForAllReplicas(llvm::Function &F);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_FORALLREPLICAS_H
