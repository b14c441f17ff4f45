//===- DataFile.cpp - A file with the contents of buffers -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/DataFile.h"
#include "gpuprune/Support/ContentHash.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Process.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <unistd.h>

using namespace llvm;

namespace gpuprune {

Expected<DataFile> readDataFile(StringRef Path) {
  sys::fs::file_status Status;
  if (std::error_code Failed = sys::fs::status(Path, Status))
    return makeError(ErrorKind::Io, formatv("cannot read '{0}': {1}", Path, Failed.message()));
  // A device or a pipe may have no end.
  if (!sys::fs::is_regular_file(Status))
    return makeError(ErrorKind::Io, formatv("cannot read '{0}': it is no ordinary file", Path));
  uint64_t Most = uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGE_SIZE)) / 4;
  if (Status.getSize() > Most)
    return makeError(ErrorKind::Resources, formatv("'{0}' has {1} MiB, more than a quarter of this machine's "
                                                   "memory; take a smaller file",
                                                   Path, Status.getSize() >> 20));
  Expected<std::string> Content = readFile(Path);
  if (!Content)
    return Content.takeError();
  std::string Hash = contentHash(*Content);
  return DataFile{Path.str(), std::move(*Content), std::move(Hash)};
}

} // namespace gpuprune
