//===- IgnoreFile.cpp - Keeps a program's folder out of git --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/IgnoreFile.h"
#include "gpuprune/Support/Process.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace gpuprune {

Error writeIgnoreFile(StringRef Directory) {
  std::string Path = (Directory + "/.gitignore").str();
  if (sys::fs::exists(Path))
    return Error::success();
  // Compilers that run side by side write it at the same time.
  return writeFile(Path,
                   "# Recordings hold the data of the program that was recorded.\n/recordings/\n/code/\n");
}

} // namespace gpuprune
