//===- PassOptions.h - Reading and printing a pass's options ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text between the angle brackets of gpu-unroll<loop=1;factor=4>.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_PASSOPTIONS_H
#define GPUPRUNE_TRANSFORMS_PASSOPTIONS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <limits>

namespace gpuprune {

/// Calls \p Take for each "key=value" or bare "key" of \p Text but "kernel=NAME",
/// which every pass has and which goes to \p Kernel. Take returns whether it
/// knows the key; a key given twice or not known is an error that lists \p Known
/// ("loop=N, factor=F|full, kernel=NAME").
llvm::Error parsePassOptions(llvm::StringRef PassName, llvm::StringRef Text, llvm::StringRef Known,
                             std::string &Kernel,
                             llvm::function_ref<llvm::Expected<bool>(llvm::StringRef, llvm::StringRef)> Take);

/// A decimal number from \p Least to \p Most, or an error naming \p Key.
llvm::Expected<unsigned> parseNumber(llvm::StringRef Key, llvm::StringRef Value, unsigned Least,
                                     unsigned Most = std::numeric_limits<unsigned>::max());

/// The options "loop=N" and "factor=F" of a pass that needs both.
class LoopAndFactor {
public:
  LoopAndFactor(unsigned &Loop, unsigned &Factor) : Loop(Loop), Factor(Factor) {}
  /// Takes \p Key if it is one of them. A factor may be written in words: then nothing is stored for it.
  llvm::Expected<bool> take(llvm::StringRef Key, llvm::StringRef Value, llvm::StringRef Word = "");
  /// Whether both were given; else an error of \p PassName that shows the \p Usage.
  llvm::Error check(llvm::StringRef PassName, llvm::StringRef Usage) const;

private:
  unsigned &Loop, &Factor;
  bool HasLoop = false, HasFactor = false;
};

/// Prints ";kernel=NAME" where \p Kernel is not empty.
void printKernelOption(llvm::raw_ostream &OS, llvm::StringRef Kernel);

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_PASSOPTIONS_H
