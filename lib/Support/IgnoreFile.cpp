//===- IgnoreFile.cpp - Keeps a program's folder out of git --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/IgnoreFile.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuprune {

Error writeIgnoreFile(StringRef Directory) {
  std::string Path = (Directory + "/.gitignore").str();
  if (sys::fs::exists(Path))
    return Error::success();
  // Compilers that run side by side write it at the same time.
  Error E = writeToOutput(Path, [](raw_ostream &OS) {
    OS << "# Recordings hold the data of the program that was recorded.\n/recordings/\n/code/\n";
    return Error::success();
  });
  return E ? makeError(ErrorKind::Io, "cannot write '" + Path + "': " + toString(std::move(E)))
           : Error::success();
}

} // namespace gpuprune
