//===- JamInnerLoops.h - Two loops that follow one another become one -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   before                     after
//     loop A                     what B needs of M
//     M, what lies between       loop: iteration of A, iteration of B
//     loop B                     the rest of M
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_JAMINNERLOOPS_H
#define GPUPRUNE_LIB_TRANSFORMS_JAMINNERLOOPS_H

#include "gpuprune/Transforms/Refusal.h"
#include "llvm/IR/PassManager.h"

namespace gpuprune {

/// Whether \p L is tested at its end alone and has an exit of its own, else refused
/// LoopForm.
Verdict checkJamForm(const llvm::Loop &L);

/// Refuses Volatile, Synchronisation, InlineAsm and Call where other threads may see the order
/// of what \p L does, or where it is not known what it does.
Verdict checkOrder(const llvm::Loop &L);

/// Lets \p A and \p B of \p F, both of that form and in a loop for which checkOrder has
/// passed, be one, which has A's header. Refuses
///
///   TripCountsDiffer   they are not proved to run equally often;
///   DependentControl   B does not follow A under all circumstances;
///   CarriedValue       B needs what A computes, or an effect of what lies between;
///   MayBeWritten       a write may touch what would be read or written before it instead of
///                      after it, or the other way round.
///
/// Analyses of \p FAM are invalid afterwards.
Verdict jamInnerLoops(llvm::Function &F, llvm::Loop &A, llvm::Loop &B, llvm::FunctionAnalysisManager &FAM);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_JAMINNERLOOPS_H
