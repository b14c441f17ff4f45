//===- InnerLoopGuard.h - The test before an inner loop goes outside --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_INNERLOOPGUARD_H
#define GPUPRUNE_LIB_TRANSFORMS_INNERLOOPGUARD_H

#include "LoopCopies.h"

namespace gpuprune {

/// Where a test that is the same in all iterations of \p Outer leads past \p Inner, directly in
/// it, \p Outer gets a copy for where the test fails, without Inner, and goes
/// into Inner each time itself. Returns whether it did so; the analyses are invalid then.
bool hoistGuard(llvm::Loop &Outer, llvm::Loop &Inner, LoopAnalyses &A);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_INNERLOOPGUARD_H
