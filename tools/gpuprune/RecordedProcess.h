//===- RecordedProcess.h - The program that is recorded ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TOOLS_GPUPRUNE_RECORDEDPROCESS_H
#define GPUPRUNE_TOOLS_GPUPRUNE_RECORDEDPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <utility>
#include <vector>

namespace gpuprune {

/// Runs \p Command, which ends with a null, with this process's standard streams and \p Variables in its
/// environment, and waits for it. Signals that ask this process to end are handed on. As waitpid has it;
/// Toolchain error where it cannot be started.
llvm::Expected<int> runInForeground(llvm::ArrayRef<char *> Command,
                                    const std::vector<std::pair<std::string, std::string>> &Variables);

/// Ends this process as a child ended whose status, as waitpid has it, is \p Status and a signal's.
void endBySignal(int Status);

} // namespace gpuprune

#endif // GPUPRUNE_TOOLS_GPUPRUNE_RECORDEDPROCESS_H
