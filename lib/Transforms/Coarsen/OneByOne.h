//===- OneByOne.h - Replicas one after another ------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  body(blockIdx.x);         After:  for (k = 0; k < F; k++) {
//                                              body(blockIdx.x * F + k);
//                                              __syncthreads();  // where shared memory is used
//                                            }
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_ONEBYONE_H
#define GPUPRUNE_LIB_TRANSFORMS_ONEBYONE_H

#include "Coarsening.h"

namespace gpuprune {

/// Whether a thread may run its replicas one after another. Refuses
/// DependentBarrier (a thread that comes to fewer barriers than others would meet
/// them at the next replica's; threads of one block cannot wait for each other
/// that way at all) and ParameterWritten.
Verdict checkOneByOne(llvm::Function &F, const Coarsening &C);

/// Lets \p Body, blocks entered by way of \p First and left to \p Return alone, run
/// once a replica. Returns the block to enter instead of First, all blocks of the
/// loop are added to \p Skip. Return has no PHI nodes. \p LanesWait: see separateBlocks().
llvm::BasicBlock *runOneByOne(llvm::Function &F, const Coarsening &C, llvm::ArrayRef<llvm::BasicBlock *> Body,
                              llvm::BasicBlock *First, llvm::BasicBlock *Return, Untouched &Skip,
                              bool LanesWait = true);

/// Whether \p Body uses shared memory, so that all threads have to wait for each other behind it.
bool usesShared(llvm::ArrayRef<llvm::BasicBlock *> Body);

/// Emits what has to come between two blocks that \p Body does one after the other, so that what the first
/// has in shared memory is needed no longer, and nothing is on its way there. \p LanesWait: where lanes do
/// something together, none of them is a block ahead of the others.
void separateBlocks(llvm::IRBuilder<> &B, llvm::ArrayRef<llvm::BasicBlock *> Body, bool LanesWait = true);

/// Splits the entry block so that it holds the kernel's local variables alone;
/// returns the block with what comes after them.
llvm::BasicBlock *splitVariables(llvm::Function &F);

/// Tells the unrollers to leave the loop alone that \p Latch ends, and takes its
/// number away.
void forgetLoop(llvm::Instruction &Latch);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_ONEBYONE_H
