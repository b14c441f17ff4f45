//===- OpenDatabase.h - From a path to a database that can be used ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_DATABASE_OPENDATABASE_H
#define GPUPRUNE_LIB_DATABASE_OPENDATABASE_H

#include "Sqlite.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace gpuprune {

/// The file of \p Path with today's schema, made or mended where need be; errors
/// and \p Notes as ResultDatabase::open says.
llvm::Expected<sqlite::Connection> openForRun(const std::string &Path, std::vector<std::string> &Notes,
                                              const char *Vfs);
/// The same for a file that has to be there and is not to be mended.
llvm::Expected<sqlite::Connection> openAsItIs(const std::string &Path, bool Writable);

/// \p E with the file's name, as an Io error where it was SQLite's.
llvm::Error withPath(llvm::StringRef Path, llvm::Error E);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_DATABASE_OPENDATABASE_H
