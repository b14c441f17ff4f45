//===- BlockCoarsen.h - gpu-block-coarsen: one block does the work of several -===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  b = blockIdx.x;                    After gpu-block-coarsen<x=2>:
//          C[b * 16 + t] = A[t] * B[b];         b0 = 2 * blockIdx.x; b1 = b0 + 1;
//                                               a = A[t];
//                                               C[b0 * 16 + t] = a * B[b0];
//                                               C[b1 * 16 + t] = a * B[b1];
//
// A physical thread block does the work of x*y*z neighbouring logical ones, its
// replicas. Only what depends on the block index of a coarsened dimension is
// replicated; barriers, uniform loads and uniform control stay single (jammed),
// which is the rectangular tiling of Ryoo et al. (CGO'08, section 3.1). A shared
// array whose contents depend on the block index gets a copy a replica: one copy
// after another (shared=blocked), or with the copies of an element side by side
// (shared=interleaved, aligned to 16 bytes), so that one 128-bit access reads an
// element of four replicas, or in groups of as many copies as fill 16 bytes side by
// side, group after group (shared=grouped): side by side as far as one access reaches,
// and no further, since threads would only be further apart and meet in the same banks.
// With sums=joint an array in which blocks only add up sums for global memory has no copies: replicas add to
// one, which is set to zero and added to global memory once; lib/Transforms/Coarsen/JointSums.h has the
// conditions, and why it is right. Copies of dynamic shared memory are a matter of the launch, too: it gives
// so many times the author's bytes, and the kernel gets these as a parameter where it has to know them.
//
// Control that depends on the block index. The region that a branch
// decides is run replica by replica. A loop is jammed while all replicas go on,
// then each runs the rest of its own (loops=jam; as a region with loops=apart). A guard ("if (i >= n)
// return;") is asked once for all replicas: where all pass, the rest runs jammed, else the kernel runs once a
// replica in a loop. mode=sequential is that loop alone.
//
// gridDim still reads as the grid the author launches; the launch contract
// (LaunchContract.h) says by what the grid has to be divided. With grid=any it is
// divided and rounded up, and the kernel gets the author's extents as further
// parameters: "if (blockIdx.x >= grid.x) return;" is a guard before all others.
//
// Why it is right. CUDA orders nothing between thread blocks, so any
// interleaving of replicas is one of the program's own executions, as long as
// each replica computes what its logical block computed, and no replica waits
// for what a later one does (InterBlockWait). Each computes that: thread t of a
// replica runs the instructions of thread t of the logical block, in their
// order, on the same values, with its own copy of shared and local memory.
// Values that do not depend on the block index are the same in all replicas; for
// loads from global memory this holds because a location that one block writes
// and another reads without synchronisation is a race, which CUDA leaves
// undefined.
//
// Barriers. Jammed, one barrier serves all replicas: control around it is the
// same for all of them, so a thread that comes to it comes to it for all. In a
// region and in the loop of the slow path each replica has its own, and the
// threads of the physical block have to come to the same ones in the same order.
// They do where control around the barrier is the same for all threads of a
// block. A thread that leaves early while others go on to a barrier, which CUDA
// allows, would here go on to the next replica's barrier instead: such control is
// refused unless it is proved not to depend on the thread (Influence.h).
// The fast path is a path of the whole block where threads meet at all.
//
// Jammed loops. A replica's condition is asked once an iteration, as in the
// author's loop and at its place in it; the rest begins with the values that the
// jammed loop left, or, where that was left before the iteration had any effect,
// with that iteration. Where threads meet in the loop they leave it alike.
//
// Poison-generating flags. The contract demands that the grid divides, or the guard
// keeps surplus replicas out, so every replica that goes on is a logical block that the
// author's launch has, and executes an instruction only where that block does: what nsw, nuw, inbounds, exact
// or disjoint promise holds for it as it held for that block. The exception are conditions computed early for
// the fast path: they carry no flags. What the pass creates itself carries only flags that follow from the
// limits of a grid.
//
// Refused: DependentControl, DependentBarrier, InterBlockWait, Call, InlineAsm,
//   UnsupportedIntrinsic, Volatile, AtomicAccess, Cluster, PointerEscapes,
//   ParameterWritten, UnknownObject, TooLarge, BadLaunchContract, NoSuchKernel;
//   with shared=interleaved also MixedAccessSizes, with sums=joint NoJointSum.
//   docs/passes/gpu-block-coarsen.md has a line on each.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_BLOCKCOARSEN_H
#define GPUPRUNE_TRANSFORMS_BLOCKCOARSEN_H

#include "gpuprune/Transforms/PassOffer.h"
#include "gpuprune/Transforms/PassOptions.h"
#include <array>
#include <string>

namespace gpuprune {

/// Where the copies of a privatised shared array lie.
enum class SharedLayout { Blocked, Interleaved, Grouped };

struct BlockCoarsenOptions : TabledOptions<BlockCoarsenOptions> {
  std::array<unsigned, 3> Factor{1, 1, 1}; ///< Logical blocks a physical one, in x, y, z.
  SharedLayout Shared = SharedLayout::Blocked;
  bool Sequential = false; ///< Logical blocks one after another instead of jammed.
  bool LoopsApart = false; ///< Loops that logical blocks leave at different times are not jammed.
  bool AnyGrid = false;    ///< The grid need not be a multiple of the factors.
  bool JointSums = false;  ///< Logical blocks add up in one shared array where they can.
  std::string Kernel;      ///< Empty: every kernel of the module.

  static const OptionTable<BlockCoarsenOptions> &table();
};

class BlockCoarsenPass : public PassWithOptions<BlockCoarsenPass, BlockCoarsenOptions> {
public:
  static constexpr const char *PassName = "gpu-block-coarsen";
  using PassWithOptions::PassWithOptions;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
};

/// Factors in the dimensions of the grid that have more than one block; both layouts of copies where there
/// are shared arrays to copy, loops replica by replica where they are ragged, one array of sums for all where
/// there is one.
PassOffers offerBlockCoarsening(const std::array<bool, 3> &GridUsed, bool HasSharedArrays,
                                bool HasRaggedLoops, bool HasJointSums = false);

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_BLOCKCOARSEN_H
