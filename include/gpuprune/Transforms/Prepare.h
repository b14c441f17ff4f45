//===- Prepare.h - gpu-prepare: the form every other pass stands on ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before: what clang's front end and the early simplification leave: device
//         functions called, loops not rotated, pointers generic.
// After:  device functions inlined; memory in registers where it can be;
//         loops in simplified, rotated, LCSSA form with canonical induction
//         variables, numbered in source order; address spaces known (else the
//         alignment of shared arrays stays hidden and no 128-bit access forms);
//         floating-point contraction pinned (see PinContraction.h).
//
// It is idempotent: a kernel it has seen carries the attribute
// "gpuprune-prepared". Outside NVPTX modules it does nothing.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_PREPARE_H
#define GPUPRUNE_TRANSFORMS_PREPARE_H

#include "llvm/IR/PassManager.h"

namespace gpuprune {

class PreparePass : public llvm::PassInfoMixin<PreparePass> {
public:
  static constexpr const char *PassName = "gpu-prepare";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_PREPARE_H
