//===- CountedLoop.h - Iterations that are sure to come ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How often `for (i = first; i < n; i += gridDim.x * blockDim.x)` runs is not known before it: the
// step may be negative, and i may wrap around and be below n again. Where a test before the loop
// shows that neither happens, it is:
//
//   K = step > 0 && n <= MAX - (step - 1) ? the iterations, rounded down to a multiple of F : 0;
//   for (k = 0; k != K; ++k, i += step) …       // may be unrolled, with no remainder
//   for (; i < n; i += step) …                  // the rest, or, where the test fails, all
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_COUNTEDLOOP_H
#define GPUPRUNE_LIB_TRANSFORMS_COUNTEDLOOP_H

#include "LoopCopies.h"

namespace llvm {
class SCEVAddRecExpr;
} // namespace llvm

namespace gpuprune {

/// Whether it is not known from \p L how often it runs.
bool isUncounted(const llvm::Loop &L, llvm::ScalarEvolution &SE);

/// Another iteration comes where `Next Continues Bound`; Next is {First,+,Step}.
struct LatchTest {
  llvm::CmpInst::Predicate Continues;
  const llvm::SCEVAddRecExpr *Next;
  const llvm::SCEV *Bound;

  bool isStrict() const {
    return Continues == llvm::CmpInst::ICMP_SLT || Continues == llvm::CmpInst::ICMP_ULT;
  }
};

/// The test of \p L, which is in form, if it is uncounted and compares a number that goes on by equal steps
/// with one that stays. What these are computed of is moved before the
/// loop.
std::optional<LatchTest> findLatchTest(const llvm::Loop &L, llvm::ScalarEvolution &SE);

/// Lets \p L, which is in form (LoopCopies.h) and ends by \p Test, run a multiple of \p Factor times that is
/// known before it, and a copy of it do the rest. Returns whether it did so; the analyses are invalid then.
/// Nothing happens where the counter does not hold the factor, or what it is counted by is not known before.
bool countIterations(llvm::Loop &L, const LatchTest &Test, unsigned Factor, LoopAnalyses &A);

/// Lets \p L, which is in form, run \p Count times, known in its preheader, and a copy of it, which is
/// returned, do the rest. Where Count is 0 the copy does all. \p L must not end before by itself. The
/// analyses are invalid then.
llvm::Loop &runCounted(llvm::Loop &L, llvm::Value &Count, LoopAnalyses &A);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_COUNTEDLOOP_H
