//===- CommonLimits.h - What every GPU allows that code is made for -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For places that know no device. Source: CUDA C++ Programming Guide 13.0, "Technical
// Specifications per Compute Capability", whose columns agree in these rows. A unit test
// compares them with each row of Devices.def that is not PapersOnly.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DEVICE_COMMONLIMITS_H
#define GPUPRUNE_DEVICE_COMMONLIMITS_H

#include "gpuprune/Support/Dim3.h"

namespace gpuprune {

/// Lanes of a warp (PTX ISA, "WARP_SZ").
inline constexpr unsigned WarpSize = 32;
/// Threads of a block.
inline constexpr unsigned MostThreadsPerBlock = 1024;
/// Each extent of a block in threads, and of a grid in blocks.
inline constexpr Dim3 LargestBlock = {1024, 1024, 64};
inline constexpr Dim3 LargestGrid = {2147483647, 65535, 65535};
/// Bytes of shared memory that a kernel may declare statically, whatever the device has.
inline constexpr unsigned MostStaticShared = 48 * 1024;
/// Bytes of the widest access of a thread (PTX ISA, "Vectors": 128 bits; sm_100 has 256 in global memory
/// alone), to which allocations of all memories are aligned at least.
inline constexpr unsigned WidestAccessBytes = 16;
/// Barriers of a block with a number of their own (PTX ISA, "barrier").
inline constexpr unsigned NumberedBarriers = 16;
/// Bytes of a module's constant memory (CUDA programming guide, "Maximum amount of constant memory").
inline constexpr unsigned ConstantMemoryBytes = 64 * 1024;
/// Bytes of constant memory that an SM caches ("Cache working set per SM for constant memory").
inline constexpr unsigned ConstantCacheBytes = 8 * 1024;

/// Bytes of an instruction since Volta, and of the cache that holds a multiprocessor's instructions before
/// the L2 does (Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", 2018,
/// sections 2.1 and 3.4: the L1.5 cache). No guide tells them; no test compares them.
inline constexpr unsigned InstructionBytes = 16, InstructionCacheBytes = 128 * 1024;

} // namespace gpuprune

#endif // GPUPRUNE_DEVICE_COMMONLIMITS_H
