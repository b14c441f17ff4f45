//===- Guards.h - Branches past work that does not exist --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_GUARDS_H
#define GPUPRUNE_LIB_TRANSFORMS_GUARDS_H

#include "Coarsening.h"

namespace gpuprune {

/// A condition that is one of those joined by "and" (by "or", where it is expected
/// not to hold).
struct GuardLeaf {
  llvm::Value *Condition = nullptr;
  bool Expected = true;
};

/// A branch that goes Way where all its leaves are as expected.
struct Guard {
  llvm::BranchInst *Branch = nullptr;
  unsigned Way = 0; ///< The successor with the work; the other one leads past it.
  llvm::SmallVector<GuardLeaf, 4> Leaves;
};

/// The guards of \p F that depend on a coarsened index and whose conditions can be
/// computed at the kernel's start. Where it costs a barrier (\p Together), only
/// those of work that is worth it.
llvm::SmallVector<Guard, 4> findGuards(llvm::Function &F, const Coarsening &C, bool Together);

/// Whether \p I depends on its operands alone and can be computed even where the
/// author's program does not.
bool canComputeAnywhere(const llvm::Instruction &I);

/// Computes \p V at \p B: what \p B's block holds is used, the rest is cloned without
/// flags that make poison. \p Hoisted remembers clones; \p Varies becomes true
/// where the threads of a block may differ in it.
llvm::Value *computeAt(llvm::IRBuilder<> &B, llvm::Value *V,
                       llvm::DenseMap<llvm::Value *, llvm::Value *> &Hoisted, bool &Varies);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_GUARDS_H
