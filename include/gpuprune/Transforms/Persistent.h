//===- Persistent.h - gpu-persistent: blocks that stay on the device ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  work(blockIdx.x, gridDim.x);    After:  for (b = blockIdx.x; b < blocks.x; b += gridDim.x) {
//                                                    work(b, blocks.x);
//                                                    __syncthreads();  // where shared memory is used
//                                                  }
//
// At most K blocks a multiprocessor are launched, in x alone, and each does several of the author's, one
// after another; as many as the device decides, so that the loop's bound is known at launch. blocks.x, .y and
// .z are hidden parameters: the grid that would be launched without this pass. The place (x, y, z) of the
// next block is counted up digit by digit, with the distance between two blocks taken apart once, in front of
// the loop, because a division for each block would cost more than a short block does. order=consecutive
// gives each launched block a contiguous range, the longer ones first.
//
// Why it is right. CUDA orders nothing between thread blocks, so that one after another is one of the
// program's own executions, as long as none waits for another one and the threads of a launched block go
// through the author's blocks together as far as they meet at all: all of that is what mode=sequential of
// gpu-block-coarsen asks for (BlockCoarsen.h). The loop is right for any number of launched blocks, also for
// more than the author has. Numbers do not wrap: the launch contract refuses grids beyond 2^31 - 1 blocks.
//
// What ends a thread early, a return or exit, goes on with the next block instead. Other lanes of its warp
// may be at an operation that a mask lets wait for it, and where the thread has ended they need not. Such an
// operation is refused (DependentBarrier) unless all lanes of a warp come to it alike, a barrier of the block
// lies behind it, so that no thread had ended, or its mask was made of active lanes that all come to it, or
// by a vote on the condition under which lanes come to it.
//
// Refused: what mode=sequential refuses: DependentBarrier, InterBlockWait, Call, InlineAsm,
//   UnsupportedIntrinsic, Volatile, AtomicAccess, Cluster, ParameterWritten; TooLarge, where memory on the
//   stack has a size known at run time; BadLaunchContract, for a kernel that is persistent; NoSuchKernel.
//   docs/passes/gpu-persistent.md has a line on each.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_PERSISTENT_H
#define GPUPRUNE_TRANSFORMS_PERSISTENT_H

#include "gpuprune/Transforms/PassOptions.h"
#include <string>

namespace gpuprune {

struct PersistentOptions : TabledOptions<PersistentOptions> {
  unsigned Blocks = 1;      ///< Launched for each multiprocessor.
  bool Consecutive = false; ///< Each launched block does a contiguous range of blocks.
  std::string Kernel;       ///< Empty: every kernel of the module.

  static const OptionTable<PersistentOptions> &table();
};

class PersistentPass : public PassWithOptions<PersistentPass, PersistentOptions> {
public:
  static constexpr const char *PassName = "gpu-persistent";
  using PassWithOptions::PassWithOptions;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
};

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_PERSISTENT_H
