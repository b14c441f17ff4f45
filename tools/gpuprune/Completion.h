//===- Completion.h - Scripts that complete the command line ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TOOLS_GPUPRUNE_COMPLETION_H
#define GPUPRUNE_TOOLS_GPUPRUNE_COMPLETION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace gpuprune {

enum class Shell { Bash, Zsh, Fish };

/// The words that can stand as the value of an option, by its name, and as the
/// argument of a command, by its.
struct KnownValues {
  llvm::StringMap<std::vector<std::string>> OfOptions, OfCommands;
};

/// The values of options that take a phase or a device, and the arguments of commands.
void addPhasesAndOperands(KnownValues &Values);

/// Writes the script for \p Kind that completes \p Commands with all options which
/// --help shows of them, their values where \p Values has any, and else files.
void printCompletion(llvm::raw_ostream &OS, Shell Kind, llvm::ArrayRef<llvm::cl::SubCommand *> Commands,
                     const KnownValues &Values);

} // namespace gpuprune

#endif // GPUPRUNE_TOOLS_GPUPRUNE_COMPLETION_H
