//===- ChildProcess.h - A program at the other end of three pipes ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_CHILDPROCESS_H
#define GPUPRUNE_LIB_RUNTIME_CHILDPROCESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace gpuprune {

/// A child in a process group of its own, so that what it starts ends with it.
class ChildProcess {
public:
  /// \p Arguments[0] is looked up in PATH. Error: kind Toolchain.
  static llvm::Expected<std::unique_ptr<ChildProcess>> spawn(const std::vector<std::string> &Arguments);
  /// Kills what is left.
  ~ChildProcess();
  ChildProcess(const ChildProcess &) = delete;

  /// All three do not block.
  int input() const { return Input; }
  int output() const { return Output; }
  int errors() const { return Errors; }
  /// Bytes taken; 0 when the child does not read at the moment, -1 when it is gone.
  ssize_t write(llvm::StringRef Bytes);
  /// As ::read, but never a signal's interruption; -1 with EAGAIN when there is nothing yet.
  static ssize_t read(int Descriptor, llvm::MutableArrayRef<char> Buffer);
  void closeErrors();

  /// Closes the child's input, gives it \p GraceMs to end, kills it, and says how it ended:
  /// "exit code 4", "signal 9 (Killed)".
  std::string end(int GraceMs);

private:
  ChildProcess() = default;
  bool reap(int WaitMs);

  pid_t Pid = -1; ///< -1 once it is waited for.
  int Input = -1, Output = -1, Errors = -1;
  int Status = 0;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_CHILDPROCESS_H
