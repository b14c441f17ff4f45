//===- RaiseAsyncCopies.h - Asynchronous copies out of inline assembly ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang has no builtin behind __pipeline_memcpy_async and its kin: <cuda_pipeline.h> and
// the libraries write inline assembly, of which no pass knows what it does. Where the text is
// exactly one of these (PTX ISA, "cp.async", "cp.async.commit_group", "cp.async.wait_group")
//
//   cp.async.ca|cg.shared.global [shared], [global], 4|8|16 [, bytes read];
//   cp.async.commit_group;   cp.async.wait_group N;   cp.async.wait_all;
//
// it becomes LLVM's intrinsic, which prints as the same instruction.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_RAISEASYNCCOPIES_H
#define GPUPRUNE_LIB_TRANSFORMS_RAISEASYNCCOPIES_H

#include "llvm/IR/PassManager.h"

namespace gpuprune {

/// Leaves inline assembly alone that is anything else, or whose shared address is not seen
/// to come from a pointer.
class RaiseAsyncCopiesPass : public llvm::PassInfoMixin<RaiseAsyncCopiesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
  static bool isRequired() { return true; }
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_RAISEASYNCCOPIES_H
