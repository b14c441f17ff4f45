//===- FlagPaths.h - Flags of clang++ seen from another folder --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CODEGEN_FLAGPATHS_H
#define GPUPRUNE_CODEGEN_FLAGPATHS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuprune {

/// \p Flags, whose relative paths are meant from \p Folder, as clang++ has to be given them in the
/// current folder: "-Iinc", and "-I" with "inc", become "-IFOLDER/inc". Response files ("@FILE") are
/// replaced by their content, whose paths are meant from \p Folder, too. What clang++ also looks for
/// elsewhere (-include, plugins) is rewritten only where it lies in the folder. Arguments behind
/// -Xclang are flags like the others. Input error for a response file that includes itself or
/// cannot be read though it exists.
llvm::Expected<std::vector<std::string>> flagsFrom(llvm::StringRef Folder, llvm::ArrayRef<std::string> Flags);

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_FLAGPATHS_H
