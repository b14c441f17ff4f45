//===- Dispatch.h - What the host knows of tuned kernels at run time -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C, for Dispatch.c, which becomes part of the user's program, and for DispatchCode.cpp, which writes the
// tables there. Fields are in an order that leaves no padding between them.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_DEPLOY_DISPATCH_DISPATCH_H
#define GPUPRUNE_LIB_DEPLOY_DISPATCH_DISPATCH_H

#include <stdint.h>

// NOLINTBEGIN(readability-identifier-naming): names as in C.
enum {
  GPUPRUNE_MAX_DEVICES = 64,   /* of which the answers are kept; others run the original */
  GPUPRUNE_MAX_ARGUMENTS = 256 /* hidden ones included */
};

/* A pointer among a kernel's arguments. */
struct GpuPrunePointer {
  uint32_t argument;
  uint32_t offset; /* in bytes */
};

/* A tuned variant of a kernel. Several may be the same kernel, under different conditions. */
struct GpuPruneTuned {
  const void *handle;          /* under which the tuned kernel is registered */
  struct GpuPruneState *state; /* one a handle */
  const struct GpuPrunePointer *pointers;
  const uint32_t *hidden; /* enum HiddenParameter, in the order of the parameters */
  uint64_t leastBlocks, mostBlocks;
  uint64_t leastLoopEnd;
  uint64_t sharedArrays; /* bytes */
  uint32_t pointerCount, hiddenCount, argumentCount;
  uint32_t pointerAlignment;
  uint32_t block[3];    /* the author's */
  uint32_t ownBlock[3]; /* what the divisors are of */
  uint32_t gridDivisor[3], blockDivisor[3];
  uint32_t anyGrid; /* bit D: extent D of the grid is rounded up */
  uint32_t sharedCopies, sharedCopyAlignment;
  int32_t carveout;      /* per cent; -1: the author's */
  uint32_t architecture; /* 90 */
  uint32_t registers;
  uint32_t persistentBlocks; /* for each multiprocessor; 0: all blocks are launched */
  uint32_t gridBlocks; /* for each multiprocessor, in place of the author's; 0: as many as the author's */
  uint32_t boundArgument,
      boundBits; /* of the integer at which the loop over the grid ends; 0 bits: not known */
  uint32_t boundSigned;
  uint32_t boundStride; /* of which a block has one in each iteration */
  uint32_t loopEndArgument,
      loopEndBits; /* of the integer that is leastLoopEnd at least; 0 bits: none has to be */
  uint32_t loopEndSigned;
};

/* What was found out about a tuned kernel on one device; all atomic. */
struct GpuPruneOnDevice {
  uint32_t answer; /* enum Answer of Dispatch.c */
  /* Dynamic shared memory, in bytes, that the runtime allows the tuned kernel and the author's. */
  uint32_t tunedShared, authorsShared;
  uint32_t multiprocessors; /* known where the kernel is there and needs it */
};

/* What a launch reads, the first word and the first device's part, is together. */
struct GpuPruneState {
  uint32_t attributes; /* atomic: enum Attributes of Dispatch.c */
  uint32_t unused[3];
  struct GpuPruneOnDevice on[GPUPRUNE_MAX_DEVICES];
};

/* Kinds of launches that are counted. */
enum {
  GPUPRUNE_TUNED,
  GPUPRUNE_OTHER_LAUNCH,
  GPUPRUNE_OTHER_DEVICE,
  GPUPRUNE_FAILED,
  GPUPRUNE_NOT_WANTED,
  GPUPRUNE_COUNTS
};

/* A kernel of the author's with its tuned variants: of those whose conditions hold, the first is launched. */
struct GpuPruneKernel {
  const void *original;
  const char *name;
  const struct GpuPruneTuned *tuned;
  uint64_t *counts; /* GPUPRUNE_COUNTS of them */
  struct GpuPruneListed *listed;
  uint64_t tunedCount;
};

/* Kernels that were launched, for the report at the program's end. */
struct GpuPruneListed {
  const struct GpuPruneKernel *kernel;
  struct GpuPruneListed *next;
  uint32_t isListed;
  uint32_t unused;
};
// NOLINTEND(readability-identifier-naming)

#endif
