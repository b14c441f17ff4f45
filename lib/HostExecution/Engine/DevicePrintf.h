//===- DevicePrintf.h - printf of a kernel -------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_DEVICEPRINTF_H
#define GPUPRUNE_LIB_HOSTEXECUTION_DEVICEPRINTF_H

#include <cstdint>
#include <string>

namespace gpuprune {

/// What vprintf prints for \p Format with the packed arguments at \p Arguments,
/// each aligned to its size, as clang lays them out; appended to \p Output. The
/// number of arguments, as CUDA returns it, or -1 for a conversion CUDA does not have.
int32_t formatDevicePrintf(const char *Format, const char *Arguments, std::string &Output);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_DEVICEPRINTF_H
