//===- VectorLoads.h - Loads of several iterations at once ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread that reads one element after another, a row of a matrix say, asks for as many sectors with 4
// bytes each as with 16, for its neighbours in the warp read elsewhere. Unrolled by F, the copies' loads
// of such an element are one of up to 16 bytes (PTX ISA, ld.v2, ld.v4: the address is a multiple of the
// size). Rows do not begin at such addresses by themselves, so the loop is made into three:
//
//   p = iterations until the address of the first load is a multiple of its vector's size;
//   if (the other loads' vectors do not begin there, or so many iterations never come)
//     p = all iterations but one;
//   for (; p > 0; --p, ++k)      sum += a[k] * x[k];         // as written
//   for (; k + 3 < n; k += 4)    { u = a[k..k+3]; v = x[k..k+3]; sum += u[0] * v[0]; … }
//   for (; k < n; ++k)           sum += a[k] * x[k];         // the remainder
//
// It is right because each load of a vector is one that the loop makes: the copies come all or not at all
// (the latch is the only exit, its trip count is known before, and nothing in the loop ends the thread), the
// load comes in every iteration, its address goes on by its size (a recurrence proved by ScalarEvolution),
// and nobody writes in between (LoadHazards.h). Operations keep their order.
//
// Threads of different alignment are in different copies, so that no operation of the loop may be convergent.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_VECTORLOADS_H
#define GPUPRUNE_LIB_TRANSFORMS_VECTORLOADS_H

#include "LoopCopies.h"

namespace gpuprune {

/// A load of which several iterations make one.
struct VectorLoad {
  llvm::LoadInst *Load = nullptr;
  const llvm::SCEV *First = nullptr; ///< Where the first iteration reads.
  unsigned Elements = 0;             ///< Iterations, a power of two that divides the factor.
  unsigned Bytes = 0;                ///< Of an element.

  unsigned vectorBytes() const { return Elements * Bytes; }
};

/// Lets what is the same in each iteration be known before \p L, which is in form: arithmetic, and what an
/// iteration reads to know whether it is the last one.
void hoistKnown(llvm::Loop &L, LoopAnalyses &A, llvm::FunctionAnalysisManager &FAM);

/// Those of \p L, numbered \p Number, in form, if \p Factor iterations are to be one. Refuses NotContiguous,
/// UnknownNextIteration, MayNotReturn, DependentBarrier and what LoadHazards refuses.
Verdict planVectorLoads(const llvm::Loop &L, unsigned Number, unsigned Factor, LoopAnalyses &A,
                        llvm::FunctionAnalysisManager &FAM, llvm::SmallVectorImpl<VectorLoad> &Loads);

/// Whether each of \p Loads begins where its vector may.
bool areAligned(llvm::ArrayRef<VectorLoad> Loads, LoopAnalyses &A);

/// Whether threads next to each other read rows of their own: one of \p Loads begins elsewhere in each
/// thread, and not where another thread's vector does.
bool readRows(llvm::ArrayRef<VectorLoad> Loads, const Influence &OfThread, llvm::ScalarEvolution &SE);

/// Lets LLVM put a remainder behind \p L, which is where the vectors stay aligned: it does so with a loop in
/// which something counts from a constant.
void countFromZero(llvm::Loop &L);

/// Lets \p L run until the addresses of \p Loads are aligned, and returns the loop behind it that does the
/// rest. The analyses are invalid then.
llvm::Loop &alignLoads(llvm::Loop &L, llvm::ArrayRef<VectorLoad> Loads, LoopAnalyses &A);

/// Marks \p Loads, so that their copies are found.
void markLoads(llvm::ArrayRef<VectorLoad> Loads);

/// Makes one load of as many marked copies in \p L, or in \p F where it has gone, as were marked for it, and
/// removes all marks of \p F. There are \p Factor copies of each. Refuses UnknownNextIteration where a copy
/// comes without those of its vector.
Verdict joinMarkedLoads(llvm::Function &F, const llvm::Loop *L, unsigned Factor);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_VECTORLOADS_H
