//===- ThreadContext.h - What generated code knows of its CUDA thread ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The code generated for a kernel loads these fields at their offsets. A thread's
// context lies at the upper end of its stack, whose size is a power of two and
// whose address is a multiple of it, so that code finds it from any address on the
// stack, without another parameter in every function.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_THREADCONTEXT_H
#define GPUPRUNE_LIB_HOSTEXECUTION_THREADCONTEXT_H

#include "gpuprune/Device/CommonLimits.h"
#include <cstddef>
#include <cstdint>

namespace gpuprune {

class Worker;

/// What the threads of a block share; one a worker.
struct BlockContext {
  uint32_t BlockIndex[3];
  uint32_t BlockExtent[3];
  uint32_t GridExtent[3];
  uint32_t DynamicSharedBytes;
  uint32_t SharedBytes;
  uint32_t Warps;
  uint32_t WorkerIndex;
  uint32_t Workers;
  int64_t StepsLeft; ///< Until the step limit, where steps are counted.
  int64_t SpinsLeft; ///< Until a spinning thread lets others run.
  Worker *Owner;
};

struct ThreadContext {
  uint32_t ThreadIndex[3];
  uint32_t Linear; ///< In its block.
  uint32_t Lane;
  uint32_t Warp;
  char *Shared; ///< The block's shared memory.
  BlockContext *Block;
  char *DynamicShared; ///< The part of it behind the static variables.
};

/// Distance of the context from the end of a stack.
constexpr size_t ContextBytes = 64;
static_assert(sizeof(ThreadContext) <= ContextBytes);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_THREADCONTEXT_H
