//===- OptionForm.h - How an option of a pass is written ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_OPTIONFORM_H
#define GPUPRUNE_TRANSFORMS_OPTIONFORM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace gpuprune {

/// What an option decides.
enum class OptionMeaning : uint8_t {
  Object, ///< What the pass works on: a loop, a variable, a kernel.
  Factor, ///< Whether and how much it does.
  Manner, ///< How it does it; of no account where it does nothing.
};

struct OptionForm {
  llvm::StringLiteral Key;
  llvm::StringLiteral Values = ""; ///< "F|full"; empty for a word that takes no value.
  OptionMeaning Meaning = OptionMeaning::Factor;
  bool Required = false;
  /// The option that this one is one decision with; empty: it stands by itself.
  llvm::StringLiteral Of = "";

  bool isWord() const { return Values.empty(); }
  /// "factor=F|full".
  std::string text() const { return isWord() ? Key.str() : Key.str() + "=" + Values.str(); }
};

/// "loop=N;factor=F|full", with \p Separator between them.
std::string optionsText(llvm::ArrayRef<OptionForm> Forms, llvm::StringRef Separator);

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_OPTIONFORM_H
