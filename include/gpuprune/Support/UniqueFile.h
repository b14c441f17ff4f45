//===- UniqueFile.h - Files and folders with new names --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In place of llvm::sys::fs::createUniqueFile, TempFile and createUniqueDirectory: these replace each "%" of
// a path, also in the names of the folders that a user has chosen.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_UNIQUEFILE_H
#define GPUPRUNE_SUPPORT_UNIQUEFILE_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <system_error>

namespace gpuprune {

/// Makes a file whose path is \p Prefix and random digits, and opens it for writing.
std::error_code createUniqueFile(llvm::StringRef Prefix, int &Descriptor, std::string &Path);
/// The same, closed.
std::error_code createUniqueFile(llvm::StringRef Prefix, std::string &Path);

/// Makes a folder whose path is \p Prefix and random digits, for its owner alone.
std::error_code createUniqueFolder(llvm::StringRef Prefix, std::string &Path);

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_UNIQUEFILE_H
