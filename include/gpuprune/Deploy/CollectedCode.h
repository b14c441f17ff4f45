//===- CollectedCode.h - Device code kept while a program is built -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In FOLDER/code/, for each file with kernels that was compiled: HASH.bc, device bitcode as the front end
// left it, from which variants are made without the source, and HASH.json, what the recorder has to know of
// it:
//
//   {"schema": 1, "source": "app.cu", "arch": "sm_90",
//    "kernels": [{"symbol": "_Z4axpyPf", "variables": [{"symbol": "table", "bytes": 64}]}]}
//
// The variables are those that the kernel uses and that somebody may write.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DEPLOY_COLLECTEDCODE_H
#define GPUPRUNE_DEPLOY_COLLECTEDCODE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace llvm {
class Module;
class PassBuilder;
} // namespace llvm

namespace gpuprune {

/// Writes the device module \p M, if it has kernels, into \p Folder, which is made where it is missing, with
/// a .gitignore. Code that is there already becomes the newest. Builds that run side by side may write the
/// same. Io error.
llvm::Error collectCode(llvm::Module &M, llvm::StringRef Folder);

/// A file of bitcode that was collected.
struct CollectedCode {
  std::string Path, Source, Arch;
};

/// Those in \p Folder that have the kernel \p Symbol for \p Arch, the newest first. Errors: Io, and Input
/// where a file is none.
llvm::Expected<std::vector<CollectedCode>> findCode(llvm::StringRef Folder, llvm::StringRef Symbol,
                                                    llvm::StringRef Arch);

/// Its bitcode. Errors: Io, and Input where it is not what was collected: LLVM's reader must not see that.
llvm::Expected<std::string> readCode(const CollectedCode &Code);

/// Lets the plugin collect the device code of what it compiles in \p Folder. What cannot be written is one
/// warning.
void scheduleCollecting(llvm::PassBuilder &PB, llvm::StringRef Folder);

} // namespace gpuprune

#endif // GPUPRUNE_DEPLOY_COLLECTEDCODE_H
