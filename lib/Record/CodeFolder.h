//===- CodeFolder.h - What the plugin has written about kernels ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RECORD_CODEFOLDER_H
#define GPUPRUNE_LIB_RECORD_CODEFOLDER_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuprune {

/// A variable of constant or global memory that a kernel reaches.
struct CodeVariable {
  std::string Symbol;
  uint64_t Bytes = 0;
};

/// A kernel of which DIR/code has the bitcode.
struct CodeKernel {
  std::string Arch; ///< "sm_90"
  std::vector<CodeVariable> Variables;
  std::vector<std::string> Bitcode; ///< Files that should have it.
};

/// Why none of the kernel's bitcode can be used, or one file not; else empty. Reads them all.
std::string bitcodeProblem(const CodeKernel &K);

class CodeFolder {
public:
  /// Reads DIRECTORY/code/*.json; problems() names the files that cannot be read.
  explicit CodeFolder(llvm::StringRef Directory);

  /// What the file with contents \p Text says, beside which \p Bitcode lies. Input error.
  llvm::Error add(llvm::StringRef Text, llvm::StringRef Bitcode);

  /// Null where there is no code of \p Symbol for a GPU of \p Major.\p Minor; \p Why says so. Variables are
  /// those of all files that have the kernel for it.
  const CodeKernel *find(llvm::StringRef Symbol, int Major, int Minor, std::string &Why) const;

  const std::vector<std::string> &problems() const { return Problems; }

private:
  std::string Directory;
  llvm::StringMap<std::vector<CodeKernel>> Kernels; ///< By symbol, one for each architecture.
  std::vector<std::string> Problems;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RECORD_CODEFOLDER_H
