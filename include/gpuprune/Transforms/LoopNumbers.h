//===- LoopNumbers.h - Loops numbered in source order -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gpu-prepare numbers a kernel's loops 0, 1, ... in source order, an outer loop
// before those in it. The number is a property of the loop's metadata
// (!{!"gpuprune.loop", i32 N}), so it survives cloning and the -O3 pipeline as
// long as the loop does. Loops that come out of libdevice carry no number: they
// are not the user's.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_LOOPNUMBERS_H
#define GPUPRUNE_TRANSFORMS_LOOPNUMBERS_H

#include "gpuprune/Analysis/BlockFrequencies.h"
#include "gpuprune/Transforms/Refusal.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
class Loop;
class LoopInfo;
} // namespace llvm

namespace gpuprune {

/// Marks the loops of a libdevice function (__nv_*) before it is inlined.
void markLibdeviceLoops(llvm::Function &F, llvm::LoopInfo &LI);

/// Numbers the loops of a kernel that libdevice did not bring.
void numberLoops(llvm::LoopInfo &LI);

/// Takes the number away from the loop that \p Latch ends, if it ends one.
void forgetLoopNumber(llvm::Instruction &Latch);

/// All loops whose loopNumber (BlockFrequencies.h) is \p Number: more than
/// one where a pass replicated the loop.
llvm::SmallVector<llvm::Loop *, 2> findLoops(llvm::LoopInfo &LI, unsigned Number);

/// The refusal "NoSuchLoop", which lists the loops that \p F has.
Refusal noSuchLoop(const llvm::Function &F, unsigned Number, const llvm::LoopInfo &LI);

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_LOOPNUMBERS_H
