//===- LoopFunnel.h - All ways past an inner loop lead through one test -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  if (a) {                     After:  if (a) { X; enters = true; } else enters = false;
//            X;                                 if (enters)
//            for (...) {                          do {
//              if (b) break;                        if (b) stays = false; else { Y; stays = c; }
//              Y;                                 } while (stays);
//            }                                  if (a)
//            Z;                                   Z;
//          }
//
// Nothing is computed that was not before, nor in another order.
//
// LLVM's ControlFlowHub joins the exits as well, but takes no loop that a switch leaves, and behind it values
// no longer dominate their uses (that of SeveralExits in LoopFunnelTest.cpp): to mend that is left to its
// caller.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_LOOPFUNNEL_H
#define GPUPRUNE_LIB_TRANSFORMS_LOOPFUNNEL_H

#include "gpuprune/Transforms/Refusal.h"

namespace llvm {
class BasicBlock;
class BranchInst;
class DominatorTree;
class Function;
class Loop;
} // namespace llvm

namespace gpuprune {

/// A loop within another one, to which each iteration of that comes, or to a test whether to go into it.
struct FunnelledLoop {
  llvm::BasicBlock *Header = nullptr;
  llvm::BranchInst *Guard =
      nullptr;                      ///< Into the preheader or past the loop; null where all iterations go in.
  llvm::BasicBlock *Join = nullptr; ///< Where both ways meet; ends in a branch.
};

/// Gives \p Inner, directly in \p Outer and with a preheader, one end at its latch, and brings it into
/// that form. Refuses DependentControl where an iteration of Outer may be its last one without coming to
/// Inner's end. Analyses of \p F are invalid afterwards.
Verdict funnelLoop(llvm::Function &F, llvm::Loop &Outer, llvm::Loop &Inner, llvm::DominatorTree &DT,
                   FunnelledLoop &Result);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_LOOPFUNNEL_H
