//===- BlockSwizzle.h - gpu-block-swizzle: blocks in another order ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  x = blockIdx.x;      After gpu-block-swizzle<group=G>:
//          y = blockIdx.y;        first = y / G * G;                     // of the band of G rows
//                                 rows = min(G, gridDim.y - first);
//                                 p = (y - first) * gridDim.x + x;       // place in the band
//                                 x' = p / rows;  y' = first + p % rows;
//
// Blocks that run at the same time have neighbouring indices. Row by row, those of a
// matrix product share few rows of A and read all columns of B; in bands of G rows,
// column by column, they share both, and more of what they read is in the L2 cache.
//
// Why it is right. In a band of r rows, p goes through 0 to r * gridDim.x - 1, each once,
// and (p / r, p % r) does so with the pairs of a column and a row of the band: each
// block of the author's grid is computed by exactly one block. CUDA orders nothing
// between thread blocks, so that this is one of the program's own executions, as long
// as no block waits for another, and nothing but the two index registers tells a block
// which one it is. p does not overflow: where gridDim.x * G does not fit 32 bits, all
// blocks keep their indices.
//
// gridDim is that of the launch where the pass runs behind gpu-block-coarsen, as are the
// indices that it permutes, and both are the author's where it runs before.
//
// Refused: as gpu-block-coarsen refuses whatever depends on the block (BlockCoarsen.h):
//   InterBlockWait, Call, InlineAsm, UnsupportedIntrinsic, Volatile, AtomicAccess, Cluster;
//   BadLaunchContract behind gpu-persistent; NoSuchKernel. docs/passes/gpu-block-swizzle.md has a line on
//   each.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_BLOCKSWIZZLE_H
#define GPUPRUNE_TRANSFORMS_BLOCKSWIZZLE_H

#include "gpuprune/Transforms/PassOptions.h"
#include <string>

namespace gpuprune {

struct BlockSwizzleOptions : TabledOptions<BlockSwizzleOptions> {
  unsigned Group = 1; ///< Rows of a band, in blocks.
  std::string Kernel; ///< Empty: every kernel of the module.

  static constexpr unsigned MostGroup = 64;

  static const OptionTable<BlockSwizzleOptions> &table();
};

class BlockSwizzlePass : public PassWithOptions<BlockSwizzlePass, BlockSwizzleOptions> {
public:
  static constexpr const char *PassName = "gpu-block-swizzle";
  using PassWithOptions::PassWithOptions;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
};

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_BLOCKSWIZZLE_H
