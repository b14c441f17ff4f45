//===- DataFile.cpp - A file with the contents of buffers -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/DataFile.h"
#include "gpuprune/Support/ContentHash.h"
#include "gpuprune/Support/RegularFile.h"

using namespace llvm;

namespace gpuprune {

Expected<DataFile> readDataFile(StringRef Path) {
  Expected<std::string> Content = readRegularFile(Path);
  if (!Content)
    return Content.takeError();
  std::string Hash = contentHash(*Content);
  return DataFile{Path.str(), std::move(*Content), std::move(Hash)};
}

} // namespace gpuprune
