//===- DynamicShared.h - Shared memory beyond the static limit ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel can declare 48 KiB of static shared memory, and be launched with more of
// dynamic shared memory. Where a variant needs more than it can declare, its arrays
// move into dynamic shared memory, in front of the author's:
//
//   before                             after
//     __shared__ float a[R][4096];       extern __shared__ char all[];
//     extern __shared__ float b[];       a: all + 0   b: all + shared-arrays
//
// The launch contract says how much that is (shared-arrays).
//
// Why it is right. Offsets keep what the arrays' alignments ask for, and the arrays apart.
// All dynamic shared arrays of a kernel begin at one address, and go on doing so.
//
// Left as it is, so that the variant cannot be launched (status `resources`):
//   - a kernel whose contract leaves the author's launch as it is: whoever launches it
//     would not look at a contract;
//   - one whose arrays another function or the initial value of a variable uses, too, or where
//     a function that is no kernel uses dynamic shared memory;
//   - code that asks how much shared memory there is (%dynamic_smem_size and its kin).
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_DYNAMICSHARED_H
#define GPUPRUNE_TRANSFORMS_DYNAMICSHARED_H

#include "llvm/IR/PassManager.h"

namespace gpuprune {

/// Runs at the end of the pipeline, when what is not used has gone.
class DynamicSharedPass : public llvm::PassInfoMixin<DynamicSharedPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_DYNAMICSHARED_H
