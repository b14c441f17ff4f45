//===- Sha256.h - A digest of a text --------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_SHA256_H
#define GPUPRUNE_SUPPORT_SHA256_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

namespace gpuprune {

/// SHA-256 of \p Text, 64 lower-case hexadecimal digits.
inline std::string sha256(llvm::StringRef Text) {
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(Text)), /*LowerCase=*/true);
}

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_SHA256_H
