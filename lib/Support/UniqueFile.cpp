//===- UniqueFile.cpp - Files and folders with new names ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/UniqueFile.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace gpuprune {

/// Calls \p Make with new paths until one does not exist yet.
static std::error_code makeUnique(StringRef Prefix, std::string &Path,
                                  function_ref<std::error_code(const std::string &)> Make) {
  std::error_code EC;
  for (int Attempts = 128; Attempts != 0; --Attempts) { // As many as LLVM's own.
    SmallString<16> Digits;
    sys::fs::createUniquePath("%%%%%%%%%%%%", Digits, /*MakeAbsolute=*/false);
    Path = (Prefix + Digits).str();
    EC = Make(Path);
    if (EC != std::errc::file_exists)
      return EC;
  }
  return EC;
}

std::error_code createUniqueFile(StringRef Prefix, int &Descriptor, std::string &Path) {
  return makeUnique(Prefix, Path, [&](const std::string &New) {
    return sys::fs::openFileForReadWrite(New, Descriptor, sys::fs::CD_CreateNew, sys::fs::OF_None);
  });
}

std::error_code createUniqueFile(StringRef Prefix, std::string &Path) {
  int Descriptor = -1;
  if (std::error_code EC = createUniqueFile(Prefix, Descriptor, Path))
    return EC;
  sys::fs::file_t File = sys::fs::convertFDToNativeFile(Descriptor);
  return sys::fs::closeFile(File);
}

std::error_code createUniqueFolder(StringRef Prefix, std::string &Path) {
  return makeUnique(Prefix, Path, [](const std::string &New) {
    return sys::fs::create_directory(New, /*IgnoreExisting=*/false, sys::fs::owner_all);
  });
}

} // namespace gpuprune
