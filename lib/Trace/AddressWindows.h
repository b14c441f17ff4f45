//===- AddressWindows.h - Where shared and local memory lie -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRACE_ADDRESSWINDOWS_H
#define GPUPRUNE_LIB_TRACE_ADDRESSWINDOWS_H

#include <cstdint>

namespace gpuprune {

/// Generic addresses of the block's shared memory and of the thread's local memory begin here, below those of
/// TraceMemory.
inline constexpr uint64_t SharedWindow = uint64_t(1) << 40, LocalWindow = uint64_t(2) << 40,
                          WindowBytes = uint64_t(1) << 32;

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRACE_ADDRESSWINDOWS_H
