//===- Process.h - Running another program ----------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_PROCESS_H
#define GPUPRUNE_SUPPORT_PROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuprune {

/// Opens those of the descriptors 0 to 2 that are closed, so that no file opened
/// later is taken for one of them; writing to a standard output that was closed
/// fails. Called first by main.
void openStandardStreams();

struct ProcessOutput {
  int ExitCode = 0; ///< Negative where a signal ended it.
  std::string Text; ///< Standard output and standard error together.
};

/// Runs \p Arguments[0], a path, and waits for it; standard input is empty.
/// Toolchain error where it cannot be started; an exit code is no error.
llvm::Expected<ProcessOutput> runProcess(llvm::ArrayRef<std::string> Arguments);

/// What to tell of a program that failed: what it printed, or how it ended where
/// it printed nothing. Without a line break at the end.
std::string failureText(const ProcessOutput &Output);

/// Whether the program said that there was no room left for a file.
bool ranOutOfDisk(const ProcessOutput &Output);

/// Whether it was killed (SIGKILL), as by a system without memory.
bool wasKilled(const ProcessOutput &Output);

/// A folder under the system's for temporary files, removed with all it holds
/// when this goes out of scope.
class TemporaryDirectory {
public:
  static llvm::Expected<TemporaryDirectory> create();
  TemporaryDirectory(TemporaryDirectory &&Other) noexcept;
  TemporaryDirectory &operator=(TemporaryDirectory &&) = delete;
  ~TemporaryDirectory();

  llvm::StringRef path() const { return Path; }
  std::string file(llvm::StringRef Name) const;

private:
  explicit TemporaryDirectory(llvm::StringRef Path) : Path(Path) {}
  llvm::SmallString<128> Path;
};

/// The whole of a file, or an Io error that names it.
llvm::Expected<std::string> readFile(llvm::StringRef Path);

/// Io error where writeFile would fail on \p Path; for telling so before hours of
/// work. "-" is standard output and always fine.
llvm::Error checkWritable(llvm::StringRef Path);

/// Writes \p Content so that a reader sees all of it or the file as it was. A device, a pipe and a
/// file in a folder that cannot be written are written in place. Error: Io.
llvm::Error writeFile(llvm::StringRef Path, llvm::StringRef Content);

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_PROCESS_H
