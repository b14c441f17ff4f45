//===- AssemblyText.h - Names in assembly ------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_DEPLOY_ASSEMBLYTEXT_H
#define GPUPRUNE_LIB_DEPLOY_ASSEMBLYTEXT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace gpuprune {

/// Whether \p IsSought takes a word of \p Text: an identifier (of PTX, PTX ISA section 4.4, or of the host's
/// assembly), or a part of what else is in the text.
inline bool hasWord(llvm::StringRef Text, llvm::function_ref<bool(llvm::StringRef)> IsSought) {
  auto IsPart = [](char C) { return llvm::isAlnum(C) || C == '_' || C == '$'; };
  while (!Text.empty()) {
    llvm::StringRef Word = Text.take_while(IsPart);
    if (IsSought(Word))
      return true;
    Text = Text.drop_front(std::max<size_t>(Word.size(), 1));
  }
  return false;
}

} // namespace gpuprune

#endif // GPUPRUNE_LIB_DEPLOY_ASSEMBLYTEXT_H
