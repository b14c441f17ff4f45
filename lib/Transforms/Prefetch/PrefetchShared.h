//===- PrefetchShared.h - Tiles read ahead wait in shared memory ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:                          After, with distance 1:
//   for (k = 0; k < n; ++k) {        copy to As[0] what iteration 0 reads; commit;
//     As[t] = A[k];                  for (k = 0; k < n; ++k) {
//     __syncthreads();                 wait for the copies of iteration k;
//     compute with As;                 __syncthreads();
//     __syncthreads();                 if (k + 1 < n)
//   }                                    copy to As[(k + 1) % 2]; // cp.async
//                                      commit;
//                                      compute with As[k % 2];
//                                      __syncthreads();
//                                    }
//
// An array becomes D + 1 buffers, of which iteration k has number k % (D + 1). That
// is right where iteration k reads nothing that an earlier one stored: all stores to
// the array are copies that every iteration makes, to the same elements, ahead of a
// barrier behind which all its reads are. An element that no iteration stores has no value.
//
// The buffer that iteration k fills was read in iteration k - 1, which every thread has
// left when it comes to the barrier of iteration k. So other barriers of the loop order
// nothing any more, and where it accesses no other memory and runs once, they go. Where it
// may run again, one of them keeps the first copies of the next run behind the last reads of this
// one; if none does, as where it stands ahead of the stores, the first copies get a barrier before
// them. All threads of the block execute it, as they do that of the first iteration.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_PREFETCHSHARED_H
#define GPUPRUNE_LIB_TRANSFORMS_PREFETCHSHARED_H

#include "Coarsen/PrivateShared.h"
#include "PrefetchPlan.h"

namespace llvm {
class DomTreeUpdater;
} // namespace llvm

namespace gpuprune {

/// A load whose value is only stored to an array, in one piece with its neighbours.
struct AsyncCopy {
  llvm::LoadInst *Load = nullptr;
  llvm::StoreInst *Store = nullptr;
  size_t Array = 0;   ///< In SharedPrefetch::Arrays.
  unsigned Bytes = 0; ///< 4, 8 or 16.
};

struct SharedPrefetch {
  DynamicMemory *Dynamic = nullptr; ///< Null: the launch has room for one of each dynamic array.
  llvm::SmallVector<PrivateArray, 2> Arrays;
  llvm::SmallVector<AsyncCopy, 8> Copies;
  /// What the copies replace.
  llvm::SmallVector<std::pair<llvm::LoadInst *, llvm::StoreInst *>, 8> Replaced;
  llvm::Instruction *Barrier = nullptr; ///< Between the stores and the reads.
  bool BarrierBefore = false;           ///< The first copies need one before them.
  llvm::SmallVector<llvm::Instruction *, 2> NeedlessBarriers;
};

/// Decides which loads of \p Plan become copies; the others stay. Refuses where none does.
Verdict planSharedPrefetch(llvm::Function &F, PrefetchPlan &Plan, const llvm::DominatorTree &DT,
                           const llvm::LoopInfo &LI, llvm::ScalarEvolution &SE, SharedPrefetch &Shared);

/// Carries it out.
void prefetchToShared(PrefetchPlan &Plan, SharedPrefetch &Shared, unsigned Distance,
                      llvm::DomTreeUpdater &DTU, llvm::LoopInfo &LI);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_PREFETCHSHARED_H
