//===- IgnoreFile.h - Keeps a program's folder out of git ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_IGNOREFILE_H
#define GPUPRUNE_SUPPORT_IGNOREFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace gpuprune {

/// Writes DIRECTORY/.gitignore where it is missing: recordings and device code stay out of version control,
/// tuning records do not. Io error.
llvm::Error writeIgnoreFile(llvm::StringRef Directory);

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_IGNOREFILE_H
