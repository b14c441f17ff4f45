//===- JsonUnsigned.h - Unsigned numbers as fields of JSON ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_JSONUNSIGNED_H
#define GPUPRUNE_SUPPORT_JSONUNSIGNED_H

#include "llvm/Support/JSON.h"
#include <cstdint>

namespace gpuprune {

enum class Presence { Required, Optional };

/// Reads the field \p Key of \p O; leaves \p Out alone where it is missing and may be. What is wrong is
/// reported at \p P.
bool mapUnsigned(const llvm::json::Object &O, llvm::StringRef Key, uint64_t &Out, Presence Need,
                 llvm::json::Path P);
bool mapUnsigned(const llvm::json::Object &O, llvm::StringRef Key, uint32_t &Out, Presence Need,
                 llvm::json::Path P);

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_JSONUNSIGNED_H
