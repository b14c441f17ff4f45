//===- Listed.h - Words in a sentence ---------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_LISTED_H
#define GPUPRUNE_SUPPORT_LISTED_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuprune {

/// "x", "x and y", "x, y and z", where \p Last is "and".
inline std::string listed(llvm::ArrayRef<std::string> Words, llvm::StringRef Last) {
  std::string Text;
  for (const auto &[I, Word] : llvm::enumerate(Words)) {
    if (I != 0)
      Text += I + 1 == Words.size() ? (" " + Last + " ").str() : ", ";
    Text += Word;
  }
  return Text;
}

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_LISTED_H
