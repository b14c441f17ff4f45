//===- SpareBarriers.h - Barriers that order nothing go ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  tile[t] = a[t];               After:  tile[t] = a[t];
//          __syncthreads();                      __syncthreads();
//          x = tile[t ^ 1];                      x = tile[t ^ 1];
//          __syncthreads();                      c[t] = x;
//          c[t] = x;
//
// The last copy of an unrolled loop often ends in a barrier that protects a tile that
// nobody fills again. Such barriers go once the -O3 pipeline has run, in every
// variant. A __syncthreads() goes where
//
//   * it is proved that all threads of the block come to it alike, so that it
//     goes for all;
//   * and no access before it, as far back as other barriers of all threads or the kernel's
//     start, may touch what one behind it writes, as far ahead as such barriers or
//     the end, or the other way round. Everything further away the other barriers order.
//
// Accesses to a thread's own memory, to constant memory and to memory that nothing
// writes do not count. Objects and address spaces tell accesses apart, offsets do not, for
// they are other ones in each thread. Where there is anything else with an effect on one side,
// such as an atomic or volatile access, a fence, a shuffle, or a call, by which
// a thread may tell others of what the block has done, the barrier stays unless the other
// side is empty. bar.red has a result and stays; barriers of some
// of the threads stay, too.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_SPAREBARRIERS_H
#define GPUPRUNE_TRANSFORMS_SPAREBARRIERS_H

#include "llvm/IR/PassManager.h"

namespace gpuprune {

/// Returns how many barriers of kernel \p F went.
unsigned dropSpareBarriers(llvm::Function &F);

/// dropSpareBarriers for each kernel of a device module; runs after the pipeline.
class SpareBarriersPass : public llvm::PassInfoMixin<SpareBarriersPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
  static bool isRequired() { return true; }
};

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_SPAREBARRIERS_H
