//===- RegularFile.h - Files that come to an end --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_REGULARFILE_H
#define GPUPRUNE_SUPPORT_REGULARFILE_H

#include "llvm/Support/Error.h"
#include <string>

namespace gpuprune {

/// The size of the regular file \p Path or of what it links to. Error: Io, without the file's name.
llvm::Expected<uint64_t> sizeOfRegularFile(llvm::StringRef Path);

/// readFile() of what others wrote: opening a pipe that nobody writes to waits for ever, and a device may
/// have no end. Error: Io; Resources where it would take more than a quarter of the memory.
llvm::Expected<std::string> readRegularFile(llvm::StringRef Path);

/// contentHash() of what readRegularFile() reads.
llvm::Expected<std::string> hashOfRegularFile(llvm::StringRef Path);

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_REGULARFILE_H
