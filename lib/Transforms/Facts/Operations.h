//===- Operations.h - What single instructions of a kernel do ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_OPERATIONS_H
#define GPUPRUNE_LIB_TRANSFORMS_OPERATIONS_H

namespace llvm {
class IRBuilderBase;
class Instruction;
class Value;
} // namespace llvm

namespace gpuprune {

/// Operations that all threads of a block or warp make together and that have
/// no operand of a replica's own: one serves all replicas.
bool isSynchronisation(const llvm::Instruction &I);

/// printf and assert: calls of the device's own run-time system, which each thread makes by
/// itself and which wait for nobody (CUDA programming guide, "Formatted output" and "Assertion").
bool isSystemCall(const llvm::Instruction &I);

/// Operations that lanes of a warp or threads of a block make together.
bool isMadeTogether(const llvm::Instruction &I);

/// Makes __syncthreads().
void createBlockBarrier(llvm::IRBuilderBase &B);

/// A barrier of the whole block or of a part of it, but not of a warp.
bool meetsBlock(const llvm::Instruction &I);

/// Whether a thread that executes \p I goes on. Operations of a block or warp wait, but for
/// threads that have to come; of what else the hardware does, LLVM knows only in part.
bool goesOn(const llvm::Instruction &I);

/// Whether \p V is a shared array.
bool isSharedArray(const llvm::Value *V);

/// The pointer a load, store or atomic goes through; nullptr for others. LLVM's MemoryLocation has none of
/// NVPTX's intrinsics, such as ldmatrix and cp.async.
llvm::Value *accessedPointer(const llvm::Instruction &I);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_OPERATIONS_H
