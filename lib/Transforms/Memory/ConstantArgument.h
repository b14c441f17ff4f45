//===- ConstantArgument.h - A parameter read from constant memory -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_CONSTANTARGUMENT_H
#define GPUPRUNE_LIB_TRANSFORMS_CONSTANTARGUMENT_H

#include "gpuprune/Transforms/Refusal.h"
#include "llvm/IR/PassManager.h"

namespace gpuprune {

/// Refuses NoSuchArgument where parameter \p Number of \p F, from 0, is no pointer to memory.
Verdict checkPointerArgument(const llvm::Function &F, unsigned Number);

/// Makes \p F read a new __constant__ variable of \p Bytes in place of what parameter
/// \p Number points to, and adds to the launch contract that the buffer is copied there.
/// Refuses what gpu-memory<arg=N;space=constant> does.
Verdict readFromConstantMemory(llvm::Function &F, unsigned Number, uint64_t Bytes,
                               llvm::FunctionAnalysisManager &FAM);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_CONSTANTARGUMENT_H
