//===- InlineCalls.h - Inlines what the inliner left ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_INLINECALLS_H
#define GPUPRUNE_LIB_TRANSFORMS_INLINECALLS_H

#include "llvm/IR/Function.h"

namespace gpuprune {

/// Inlines into \p F all calls of functions that the module defines and that do not
/// call themselves, `__noinline__` ones, too: what they do has to be seen. Those that only compute
/// (PureFunctions.h) stay calls.
void inlineCalls(llvm::Function &F);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_INLINECALLS_H
