//===- BufferRole.h - What a kernel does with a buffer --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_BUFFERROLE_H
#define GPUPRUNE_SUPPORT_BUFFERROLE_H

#include "gpuprune/Support/EnumNames.h"
#include <cstdint>

namespace gpuprune {

/// No memory of today's devices is larger; keeps sums of sizes far from overflow.
inline constexpr uint64_t LargestBufferBytes = uint64_t(1) << 44;

enum class BufferRole : uint8_t {
  In,    ///< Only read.
  Out,   ///< Only written.
  InOut, ///< Read and written.
};

inline constexpr EnumName<BufferRole> BufferRoleRows[] = {
    {BufferRole::In, "in"}, {BufferRole::Out, "out"}, {BufferRole::InOut, "inout"}};
inline constexpr EnumNames<BufferRole> BufferRoleNames{BufferRoleRows};

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_BUFFERROLE_H
