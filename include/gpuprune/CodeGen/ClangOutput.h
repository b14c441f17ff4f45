//===- ClangOutput.h - What clang++ prints about a source -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CODEGEN_CLANGOUTPUT_H
#define GPUPRUNE_CODEGEN_CLANGOUTPUT_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace gpuprune {

/// A warning or an error with what belongs to it: the lines that say how its file is included,
/// lines of the source, notes. Without a line break at the end.
struct ClangDiagnostic {
  std::string Text;
  bool IsError = false;
};

/// The diagnostics of \p Output, in order, without the line that counts them.
std::vector<ClangDiagnostic> clangDiagnostics(llvm::StringRef Output);

/// \p Output with the errors before the warnings; as it is where it has no error.
std::string errorsFirst(llvm::StringRef Output);

/// The line of \p Message, an error with clang's output below it, that says what is wrong: the
/// first that holds an error, else the first at all; empty for a message of one line.
llvm::StringRef firstErrorLine(llvm::StringRef Message);

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_CLANGOUTPUT_H
