//===- SpillValues.h - Chosen values to shared or local memory --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_SPILLVALUES_H
#define GPUPRUNE_LIB_TRANSFORMS_SPILLVALUES_H

#include "gpuprune/Analysis/BlockFrequencies.h"
#include "gpuprune/Transforms/Refusal.h"
#include "gpuprune/Transforms/Registers.h"

namespace gpuprune {

/// Whether the words that \p Options asks for have room, and there is a value to spill.
Verdict decideSpilling(llvm::Function &F, const RegistersOptions &Options,
                       const BlockFrequencies &Frequencies, llvm::LoopInfo &Loops);

/// Spills as many words of \p F as \p Options asks for, or as there are that live long
/// enough, and adds a line on each value to \p Done. No block is added or removed.
void spillValues(llvm::Function &F, const RegistersOptions &Options, const BlockFrequencies &Frequencies,
                 llvm::LoopInfo &Loops, std::vector<std::string> &Done);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_SPILLVALUES_H
