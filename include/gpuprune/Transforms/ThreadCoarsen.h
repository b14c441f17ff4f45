//===- ThreadCoarsen.h - gpu-thread-coarsen: one thread does the work of several ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  t = threadIdx.x;               After gpu-thread-coarsen<dim=x;factor=2;stride=block>:
//          y[t] = a[blockIdx.x] * x[t];     t0 = threadIdx.x; t1 = t0 + blockDim.x;
//                                           v = a[blockIdx.x];
//                                           y[t0] = v * x[t0];
//                                           y[t1] = v * x[t1];
//
// A physical thread does the work of `factor` logical threads of its own block,
// its replicas. With stride=block the replicas of neighbouring threads are
// neighbours, so that accesses that were coalesced still are; with
// stride=consecutive (t0 = 2 * threadIdx.x; t1 = t0 + 1) the replicas of one
// thread are, so that LLVM's vectorizer can make one wide access of theirs.
// align=A promises that all the buffers the kernel is given begin at a
// multiple of A bytes, which wide accesses need.
//
// Replication, regions that are run replica by replica, jammed loops and the fast
// path for guards are those of gpu-block-coarsen (BlockCoarsen.h). blockDim still reads as
// the block the author launches; the launch contract (LaunchContract.h) says by
// what it has to be divided.
//
// Why it is right. Between two barriers CUDA orders nothing between the threads
// of a block, so running some of them in one, instruction by instruction or region
// by region, is one of the program's own executions. A barrier that all replicas
// come to is one barrier of the thread they became. A value that depends on no
// coarsened index is the same in all replicas: local variables as well as shared
// and global memory, where a location that one thread writes and another reads
// with no barrier between is a race, which CUDA leaves undefined. Each replica
// has local variables of its own; shared memory is the block's, as it was.
//
// What ties a thread to its place in the machine is refused: operations of a
// warp and what tells its lanes apart (WarpOperation), for the author's warps are no
// more; barriers that count threads (CountedBarrier); a barrier that some of the
// replicas may not come to (DependentBarrier).
//
// Refused: DependentControl, DependentBarrier, CountedBarrier, WarpOperation,
//   InterBlockWait, Call, InlineAsm, UnsupportedIntrinsic, Volatile,
//   AtomicAccess, Cluster, PointerEscapes, ParameterWritten, UnknownObject,
//   TooLarge, BadLaunchContract, NoSuchKernel.
//   docs/passes/gpu-thread-coarsen.md has a line on each.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_THREADCOARSEN_H
#define GPUPRUNE_TRANSFORMS_THREADCOARSEN_H

#include "gpuprune/Transforms/PassOffer.h"
#include "gpuprune/Transforms/PassOptions.h"
#include <string>

namespace gpuprune {

/// Which logical threads become one.
enum class ThreadStride {
  Block,      ///< t, t + D, t + 2 D, ... where D is the divided extent of the block.
  Consecutive ///< F t, F t + 1, F t + 2, ...
};

struct ThreadCoarsenOptions : TabledOptions<ThreadCoarsenOptions> {
  unsigned Dimension = 0; ///< 0, 1, 2 for x, y, z.
  unsigned Factor = 1;    ///< Logical threads a physical one.
  ThreadStride Stride = ThreadStride::Block;
  unsigned Align = 1;      ///< Bytes; what the host promises of every pointer it passes.
  bool LoopsApart = false; ///< Loops that logical threads leave at different times are not jammed.
  std::string Kernel;      ///< Empty: every kernel of the module.

  static const OptionTable<ThreadCoarsenOptions> &table();
};

/// Whether \p F does anything with a warp, or barriers that count threads, so that its
/// threads cannot be coarsened.
bool dependsOnWarps(const llvm::Function &F);

class ThreadCoarsenPass : public PassWithOptions<ThreadCoarsenPass, ThreadCoarsenOptions> {
public:
  static constexpr const char *PassName = "gpu-thread-coarsen";
  using PassWithOptions::PassWithOptions;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
};

/// Factors in one dimension of \p Block: a block of several rows loses rows, so that its warps read as they
/// did; one row, if it is long enough, gets threads that are neighbours or far apart. Loops replica by
/// replica where they are ragged. \p HasSharedSums: its threads add to shared memory with atomics.
PassOffers offerThreadCoarsening(const Dim3 &Block, bool HasRaggedLoops, bool HasSharedSums);

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_THREADCOARSEN_H
