//===- ContentHash.h - A name for bytes -----------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_CONTENTHASH_H
#define GPUPRUNE_SUPPORT_CONTENTHASH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

namespace gpuprune {

/// xxh3 of \p Content, 32 hexadecimal digits; the same on every machine.
inline std::string contentHash(llvm::ArrayRef<uint8_t> Content) {
  llvm::XXH128_hash_t Hash = llvm::xxh3_128bits(Content);
  return llvm::formatv("{0:x-16}{1:x-16}", Hash.high64, Hash.low64);
}

inline std::string contentHash(llvm::StringRef Content) {
  return contentHash(llvm::arrayRefFromStringRef(Content));
}

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_CONTENTHASH_H
