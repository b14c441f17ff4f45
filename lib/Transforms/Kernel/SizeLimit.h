//===- SizeLimit.h - How large a pass lets a kernel grow --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_SIZELIMIT_H
#define GPUPRUNE_LIB_TRANSFORMS_SIZELIMIT_H

#include <cstdint>

namespace gpuprune {

/// Instructions. Far more than any instruction cache holds: a variant beyond it
/// only costs minutes of compile time.
constexpr uint64_t LargestBody = 100'000;

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_SIZELIMIT_H
