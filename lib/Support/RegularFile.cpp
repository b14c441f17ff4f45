//===- RegularFile.cpp - Files that come to an end ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/RegularFile.h"
#include "gpuprune/Support/ContentHash.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Process.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <unistd.h>

using namespace llvm;

namespace gpuprune {

Expected<uint64_t> sizeOfRegularFile(StringRef Path) {
  sys::fs::file_status Status;
  if (std::error_code Failed = sys::fs::status(Path, Status))
    return makeError(ErrorKind::Io, Failed.message());
  if (!sys::fs::is_regular_file(Status))
    return makeError(ErrorKind::Io, "it is not a regular file");
  return Status.getSize();
}

Expected<std::string> readRegularFile(StringRef Path) {
  Expected<uint64_t> Size = sizeOfRegularFile(Path);
  if (!Size)
    return makeError(ErrorKind::Io, formatv("cannot read '{0}': {1}", Path, toString(Size.takeError())));
  uint64_t Most = uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGE_SIZE)) / 4;
  if (*Size > Most)
    return makeError(ErrorKind::Resources, formatv("'{0}' has {1} MiB, more than a quarter of this machine's "
                                                   "memory; take a smaller file",
                                                   Path, *Size >> 20));
  return readFile(Path);
}

Expected<std::string> hashOfRegularFile(StringRef Path) {
  Expected<std::string> Content = readRegularFile(Path);
  if (!Content)
    return Content.takeError();
  return contentHash(*Content);
}

} // namespace gpuprune
