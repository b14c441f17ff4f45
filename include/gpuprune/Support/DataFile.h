//===- DataFile.h - A file with the contents of buffers -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_DATAFILE_H
#define GPUPRUNE_SUPPORT_DATAFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuprune {

/// A file as it was when it was read. Whoever takes from it takes the same, whatever becomes of the file.
struct DataFile {
  std::string Path;
  std::string Content;
  std::string Hash; ///< contentHash() of Content.

  /// What lies behind the first \p Offset bytes, which there are.
  llvm::ArrayRef<uint8_t> from(uint64_t Offset) const {
    return llvm::arrayRefFromStringRef(Content).drop_front(Offset);
  }
};

/// Reads the regular file \p Path. Error: Io; Resources where it would take more than a quarter of the
/// memory.
llvm::Expected<DataFile> readDataFile(llvm::StringRef Path);

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_DATAFILE_H
