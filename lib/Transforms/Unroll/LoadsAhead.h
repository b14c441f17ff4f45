//===- LoadsAhead.h - Loads ahead of the stores of earlier copies -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of `for (…; i < n; i += step) x[i] = f(x[i]);` in two copies:
//
//   x[i] = f(x[i]);                      u = x[i];
//   x[i + step] = f(x[i + step]);   ->   v = x[i + step];
//                                        x[i] = f(u);
//                                        x[i + step] = f(v);
//
// Neither LLVM nor ptxas knows that the step is not 0, so they leave the second load behind the first store,
// and each copy waits for memory by itself. In a loop that is counted before it runs (CountedLoop.h) the step
// is positive and the index does not wrap around, so that no two iterations have the same index.
//
// A load of a body goes ahead where each store of the body
//
//   * cannot touch what is loaded, in any iterations (LoadHazards.h); or
//   * stores to the address that is loaded, which is `invariant + C * index` with a constant C of at least
//     the bytes of both, and comes after the load in the body. The index goes on by the step of the loop in
//     as many bits, so that those of two iterations differ: their distance is at least C. An index as wide as
//     an address must not be multiplied beyond it, which getelementptr promises (nusw).
//
// Only bodies of one block whose memory operations are loads and stores that are neither volatile nor atomic:
// nothing orders them after what other threads write, so that a load may be made earlier.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_LOADSAHEAD_H
#define GPUPRUNE_LIB_TRANSFORMS_LOADSAHEAD_H

#include "CountedLoop.h"

namespace gpuprune {

class LoadHazards;

/// Marks the loads of \p L that copies may make ahead of the stores of copies before them, once the loop is
/// counted, which \p Test ends now.
void markLoadsAhead(llvm::Loop &L, const LatchTest &Test, const LoadHazards &Hazards,
                    llvm::ScalarEvolution &SE);

/// Makes the marked loads of \p Body, all copies in one block, before its first store, as far as their
/// addresses are known there.
void moveLoadsAhead(llvm::BasicBlock &Body);

/// Removes the marks.
void forgetLoadsAhead(llvm::Function &F);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_LOADSAHEAD_H
