//===- Output.h - Where the result of a command goes -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TOOLS_GPUPRUNE_OUTPUT_H
#define GPUPRUNE_TOOLS_GPUPRUNE_OUTPUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace gpuprune {

/// What \p Write writes goes to the file \p Path, all of it or nothing, or for "-" to standard
/// output. Io error where it cannot be written.
llvm::Error writeOutput(const std::string &Path, llvm::function_ref<llvm::Error(llvm::raw_ostream &)> Write);

/// What clang++ warned of goes to standard error.
void printWarnings(llvm::ArrayRef<std::string> Warnings);

/// From now on Ctrl-C ends the progress line and says that the next run goes on, if \p DatabasePath, where
/// results and compiled variants are stored, is not empty.
void sayHowToGoOn(llvm::StringRef DatabasePath);

} // namespace gpuprune

#endif // GPUPRUNE_TOOLS_GPUPRUNE_OUTPUT_H
