//===- Counted.h - A number and what is counted ---------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_COUNTED_H
#define GPUPRUNE_SUPPORT_COUNTED_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace gpuprune {

/// "1 variant", "2 variants": \p One and \p Many are what follows the number.
inline std::string counted(uint64_t Count, llvm::StringRef One, llvm::StringRef Many) {
  return std::to_string(Count) + " " + (Count == 1 ? One : Many).str();
}

/// The same where an s makes the plural.
inline std::string counted(uint64_t Count, llvm::StringRef One) {
  return counted(Count, One, One.str() + "s");
}

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_COUNTED_H
