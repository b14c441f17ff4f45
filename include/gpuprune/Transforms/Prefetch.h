//===- Prefetch.h - gpu-prefetch: loads of later iterations are made ahead --===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:                            After gpu-prefetch<loop=0;distance=1>:
//   for (k = 0; k < n; k += 16) {      a = A[tx];
//     As[tx] = A[k + tx];              for (k = 0; k < n; k += 16) {
//     __syncthreads();                   As[tx] = a;
//     compute with As;                   __syncthreads();
//     __syncthreads();                   if (k + 16 < n)
//   }                                      a = A[k + 16 + tx];
//                                        compute with As;
//                                        __syncthreads();
//                                      }
//
// The loads of global memory of iteration k + D are made in iteration k, behind
// the first barrier that follows them, else at its head; D values of each wait
// in registers (Ryoo et al., CGO'08, figure 2(d)). A load that an iteration
// makes under a condition is made ahead under that condition; none is made that
// the loop would not make. Loads of inner loops stay, and so do those that
// cannot be proved safe (missed remark "LoadStays"); a loop none of whose loads
// can go is refused.
//
// Why it is right. The loop's next state is computed from its PHIs by arithmetic
// alone, and so is whether another iteration follows; that iteration is
// executed, because nothing in the loop ends the thread. What it reads cannot
// change in between (LoadHazards.h says when that holds). Barriers stay where
// they are, under the same control.
//
// to=shared-async has a page of its own, PrefetchShared.h. Buffers of dynamic shared memory have to be
// asked of the launch: with launch=larger they are, in the launch contract (LaunchContract.h).
//
// Poison-generating flags are dropped from everything computed ahead: state and
// conditions may belong to no iteration, and addresses without them share their
// arithmetic better. Loads made ahead are in no noalias scope: one declared in
// the loop is another scope in each iteration.
//
// Refused: NoSuchLoop, LoopForm, UnknownNextIteration, MayNotReturn, NoGlobalLoad,
//   AddressNotAhead, ConditionNotAhead, Volatile, MayBeWritten, Synchronisation,
//   NoSuchKernel; with to=shared-async also NoAsyncCopies, NoCopy, TileGoesOn,
//   TileElsewhere, NoBarrier, OwnAsyncCopies, Call, PointerEscapes, DynamicShared,
//   MemoryIntrinsic, TooLarge; with launch=larger also BadLaunchContract.
//   docs/passes/gpu-prefetch.md has a line on each.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_PREFETCH_H
#define GPUPRUNE_TRANSFORMS_PREFETCH_H

#include "gpuprune/Transforms/PassOffer.h"
#include "gpuprune/Transforms/PassOptions.h"
#include <string>

namespace gpuprune {

/// Where what is read ahead waits.
enum class PrefetchTarget { Register, SharedAsync };

struct PrefetchOptions : TabledOptions<PrefetchOptions> {
  unsigned Loop = 0;     ///< Number of the loop, as gpu-prepare gives it.
  unsigned Distance = 1; ///< In iterations.
  PrefetchTarget To = PrefetchTarget::Register;
  bool LargerLaunch = false; ///< Buffers of dynamic shared memory may be asked of the launch.
  std::string Kernel;        ///< Empty: every kernel of the module.

  /// More values a load would only fill the register file.
  static constexpr unsigned MostDistance = 8;
  /// Of a tile in shared memory, the one computed with among them.
  static constexpr unsigned MostBuffers = 4;

  static const OptionTable<PrefetchOptions> &table();
};

class PrefetchPass : public PassWithOptions<PrefetchPass, PrefetchOptions> {
public:
  static constexpr const char *PassName = "gpu-prefetch";
  using PassWithOptions::PassWithOptions;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
};

/// The numbers of the loops of a prepared kernel that read global memory ahead of a
/// barrier, as one reads a tile into shared memory, and that gpu-prefetch can take.
llvm::SmallVector<unsigned, 4> tileLoops(llvm::Function &F);

/// Of \p Loops, all by one iteration and to the same place.
PassOffers offerPrefetching(llvm::ArrayRef<unsigned> Loops);

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_PREFETCH_H
