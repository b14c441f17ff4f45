//===- ShellQuote.h - An argument as a command line has it ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_SHELLQUOTE_H
#define GPUPRUNE_SUPPORT_SHELLQUOTE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuprune {

/// \p Argument so that a POSIX shell, and llvm::cl::TokenizeGNUCommandLine, read
/// it as one word; unchanged where nothing in it needs quotes.
std::string shellQuoted(llvm::StringRef Argument);

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_SHELLQUOTE_H
