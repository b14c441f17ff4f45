//===- Grid.h - gpu-grid: as many blocks as the device runs -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel whose threads stride over the data by the whole grid,
//
//   for (i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
//     atomicAdd(&bins[data[i]], 1);                  // bins: shared
//   ...
//   atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
//
// is right in any number of blocks in x. The pass proves it, and the launch contract then asks for K blocks
// for each multiprocessor in place of the author's number.
//
// Why it is right. Let a loop over the grid be one whose index starts at c * ctaid.x + h and steps by
// c * nctaid.x, where c and h are the same in all blocks (GridStride.h). Then thread tid of block b makes the
// iterations h + c * m with m = b, b + nctaid, ...: all threads of that tid together make each m once,
// however many blocks there are. The launch does the same in any grid if
//
//  1. ctaid.x and nctaid.x are used in no other way.                                          BlockIndex
//  2. What an iteration does depends on its index and on what is the same in all blocks alone. BlockResult
//  3. No iteration reads or overwrites what another one, or the code outside, writes to global memory: its
//     stores go to places of its own, through pointers that nothing else goes through.   DependentIterations
//  4. What iterations leave to the code behind them are sums: of a thread in registers, acc = acc + x, and of
//     a block in shared memory, by atomic additions of which nobody takes the result. x depends as in 2.
//                                                                                            BlockResult
//  5. The code outside of such loops is the same in all blocks but for these sums, and linear in them: it
//     adds and subtracts them, multiplies them by what is the same in all blocks and finite (zero times
//     infinity is no number, and blocks without an iteration have zero), moves them between lanes and through
//     shared memory, and adds them atomically to global memory. Then what the grid adds in the
//     end is that code's sum of the sums of all iterations, in whatever blocks they were made. A block may
//     skip the addition of a sum that is zero.                                               BlockResult
//  6. What else it writes to global memory is the same in all blocks and written by each.      BlockResult
//
// Integers wrap, which keeps sums exact; what is extended before it is added up, or read as another type, is
// refused. A thread may add up more than in the author's grid, so that sums lose their nsw and nuw. Sums of
// floating-point numbers are rounded in another order, as their atomic additions are in any two runs.
//
// A loop over the grid that stores runs once. In an outer loop, "the same in all iterations" may be another
// place each time, to which in the author's grid the same thread has stored before, and here another one.
//
// That a place to which blocks add atomically is not also read plainly through another pointer is taken for
// granted. As soon as two blocks add there, the author's own launch has a data race. A program in whose grid
// one thread alone adds there, atomically without need, and reads it by another name is not detected.
//
// Nothing wraps. With more blocks the step is larger, and i + step might pass 2^31 where the author's did
// not. So the test i + step < n becomes n - i > step. c and h are bounded (GridStride.h), and the contract
// bounds the number of blocks. An index of 32 bits is unsigned up to 2^32, so that twice of it wraps.
//
// Refused, besides: NoGridLoop, where there is no such loop; InterBlockWait, Volatile, AtomicAccess, Cluster,
//   Call, InlineAsm, UnsupportedIntrinsic, Synchronisation (in the loop), WarpOperation, UnknownObject;
//   BadLaunchContract behind passes that change the grid; NoSuchKernel. docs/passes/gpu-grid.md has a line on
//   each.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_GRID_H
#define GPUPRUNE_TRANSFORMS_GRID_H

#include "gpuprune/Transforms/PassOptions.h"
#include <string>

namespace gpuprune {

struct GridOptions : TabledOptions<GridOptions> {
  unsigned Blocks = 1; ///< Launched for each multiprocessor.
  std::string Kernel;  ///< Empty: every kernel of the module.

  static const OptionTable<GridOptions> &table();
};

class GridPass : public PassWithOptions<GridPass, GridOptions> {
public:
  static constexpr const char *PassName = "gpu-grid";
  using PassWithOptions::PassWithOptions;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
};

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_GRID_H
