//===- LoadHazards.h - Whether a load may be made earlier -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A load of a loop may be made in an earlier iteration, or before the loop, if no
// thread can write what it reads in between. A write counts
//
//   * of the thread itself: if it is in the loop;
//   * of another thread: only if something orders it before the load in its old
//     place and not in its new one, else it was a race in the first place. Only
//     synchronisation in the loop does that. A __syncthreads() orders what the block's
//     threads did on their way to the loop and in it. If there are other
//     barriers in the loop, or accesses anywhere by which blocks order each other, it is all that the
//     kernel writes. Atomic and volatile accesses, fences and unknown calls in the loop
//     can order what others wrote as well: another kernel, the host.
//
// What the kernel reads through a noalias pointer and writes through none is not
// written by anybody while it runs; so is memory that a load calls invariant.
//
// A write is known not to touch the location by address space, by the objects that
// the pointers come from, or by TBAA. Offsets are not compared: they hold for one iteration.
// Nor are noalias scopes, which may begin anew in each, but for those of gpu-restrict, which hold while the
// kernel runs.
//
// LLVM's BasicAA calls p[i] and p[i + 1] disjoint, which holds in one iteration alone. In its mode across
// iterations it does not, and told the buffers and arrays that were tried apart by their objects, as is done
// here, but not by their address spaces.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_LOADHAZARDS_H
#define GPUPRUNE_LIB_TRANSFORMS_LOADHAZARDS_H

#include "gpuprune/Transforms/Refusal.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"

namespace gpuprune {

/// The name of the domain of scopes that hold for all accesses of a kernel, in any iterations.
inline constexpr const char *KernelScopes = "gpu-restrict";

/// Whether \p I is a barrier of the block or of a warp.
bool isBlockBarrier(const llvm::Instruction &I);

/// Whether \p I is a barrier of all threads of the block, such as __syncthreads().
bool isSyncThreads(const llvm::Instruction &I);

/// What \p Pointer may point into, in any iteration.
llvm::SmallVector<const llvm::Value *, 4> objectsOf(const llvm::Value &Pointer);

/// Whether pointers based on \p A and on \p B, both as objectsOf gives them, never point to
/// the same memory.
bool isDisjoint(const llvm::Value &A, const llvm::Value &B);

class LoadHazards {
public:
  /// For loads of \p L; nullptr: whether a load may be made at any time while \p F runs.
  LoadHazards(llvm::Function &F, const llvm::Loop *L, llvm::FunctionAnalysisManager &FAM);

  /// Refuses MayBeWritten and Synchronisation, at what stands in the way.
  Verdict check(const llvm::LoadInst &Load) const;

  /// Whether \p Write, in any iteration, may write what \p Access accesses in any.
  bool mayTouch(const llvm::Instruction &Write, const llvm::Instruction &Access) const;

private:
  const llvm::Loop *L;
  llvm::TypeBasedAAResult &TypeBased;
  llvm::AAResults Types; ///< TBAA alone.
  /// In the kernel, the writes that count for a load that is not invariant.
  llvm::SmallVector<const llvm::Instruction *, 8> Writes;
  /// Synchronisation in the loop with others than the kernel's own threads, if any.
  const llvm::Instruction *Order = nullptr;

  bool mayTouch(const llvm::Instruction &Write, const llvm::Value &Pointer,
                const llvm::Instruction &Access) const;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_LOADHAZARDS_H
