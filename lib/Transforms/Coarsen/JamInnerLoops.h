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
// Where they may run different numbers of times, each has been made two, as in SplitLoops.h: the
// first goes on while all of them do, and the second is the rest of one.
//
//   before                     after
//     loop A; rest of A          what B needs of M
//     M                          loop: iteration of A, iteration of B
//     loop B; rest of B          rest of A; rest of B
//                                the rest of M
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_JAMINNERLOOPS_H
#define GPUPRUNE_LIB_TRANSFORMS_JAMINNERLOOPS_H

#include "gpuprune/Transforms/Refusal.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace gpuprune {

/// Whether \p L, in simplified form, ends at its latch alone.
bool endsAtEnd(const llvm::Loop &L);

/// Where all iterations of the loop around come to \p L: its header, or the question before it
/// whether all go in.
const llvm::BasicBlock *entryOf(const llvm::Loop &L);

/// Whether that is proved of \p A and \p B, each of which ends at its end.
bool runEquallyOften(const llvm::Loop &A, const llvm::Loop &B, llvm::ScalarEvolution &SE);

/// Refuses Volatile, Synchronisation, InlineAsm and Call where other threads may see the order
/// of what \p L does, or where it is not known what it does.
Verdict checkOrder(const llvm::Loop &L);

/// Two loops that follow one another, both ending at their end, with what may stand before a guard only
/// where SplitLoops.h lets it, in a loop for which checkOrder has passed.
struct JamPair {
  llvm::Loop &A, &B;
  /// Where their rests lead to, which ends in a branch; null where they run equally often.
  llvm::BasicBlock *JoinA, *JoinB;
};

/// Lets the loops of \p Pair, in \p F, be one, which has A's header. Refuses
///
///   DependentControl   B does not follow A under all circumstances;
///   CarriedValue       B needs what A computes, or an effect of what lies between;
///   MayBeWritten       a write may touch what would be read or written before it instead of
///                      after it, or the other way round.
///
/// Analyses of \p FAM are invalid afterwards.
Verdict jamInnerLoops(llvm::Function &F, JamPair Pair, llvm::FunctionAnalysisManager &FAM);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_JAMINNERLOOPS_H
