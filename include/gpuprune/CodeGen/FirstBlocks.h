//===- FirstBlocks.h - Parts of a launch as smaller launches -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CODEGEN_FIRSTBLOCKS_H
#define GPUPRUNE_CODEGEN_FIRSTBLOCKS_H

#include "gpuprune/Launch/LaunchContract.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuprune {

/// whyNotFewerBlocks() of the kernel with the symbol \p Kernel in \p Bitcode, the front end's output.
llvm::Expected<std::string> whyNotFirstBlocks(llvm::StringRef Bitcode, llvm::StringRef Kernel);
/// gridLoopEnd() of it.
llvm::Expected<std::optional<GridBound>> loopEndOf(llvm::StringRef Bitcode, llvm::StringRef Kernel);

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_FIRSTBLOCKS_H
