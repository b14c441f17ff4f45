//===- InlineCalls.h - Inlines what the inliner left ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_INLINECALLS_H
#define GPUPRUNE_TRANSFORMS_INLINECALLS_H

#include "llvm/IR/Function.h"

namespace gpuprune {

/// Functions that only compute ("gpuprune-pure").
enum class PureCalls { Keep, Inline };

/// Inlines into \p F all calls of functions that the module defines and that do not
/// call themselves, `__noinline__` ones, too: what they do has to be seen.
void inlineCalls(llvm::Function &F, PureCalls Pure = PureCalls::Keep);

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_INLINECALLS_H
