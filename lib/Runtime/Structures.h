//===- Structures.h - How arrays of structures are compared ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_STRUCTURES_H
#define GPUPRUNE_LIB_RUNTIME_STRUCTURES_H

#include "DeviceKernels.h"
#include <optional>

namespace gpuprune {

/// The rule by which \p Count elements of \p Type at two addresses are compared in one pass; nothing for
/// scalars, which need none, and where structures are too large or lie at odd addresses.
std::optional<kernels::StructuresRule> structuresRule(const ElementLayout &Type, uint64_t Count,
                                                      uint64_t Expected, uint64_t Got);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_STRUCTURES_H
