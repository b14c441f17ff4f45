//===- Operands.h - What stands on the command line beside options ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Commands and their operands are checked here, since LLVM's messages about them
// say neither what is expected nor give an example.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TOOLS_GPUPRUNE_OPERANDS_H
#define GPUPRUNE_TOOLS_GPUPRUNE_OPERANDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuprune {

/// Usage error if \p FirstArgument stands where a command is expected but is none of \p Commands.
llvm::Error checkCommand(llvm::StringRef FirstArgument, llvm::ArrayRef<llvm::cl::SubCommand *> Commands);

/// As the first line of --help writes the operands of \p Command; empty for what is no command.
llvm::StringRef operandsOf(llvm::StringRef Command);

/// Usage error if \p Command does not take as many operands as \p Given has.
llvm::Error checkOperands(llvm::StringRef Command, llvm::ArrayRef<std::string> Given);

/// Usage error: \p Command lacks \p What. Gives the example of a right command line.
llvm::Error missing(llvm::StringRef Command, llvm::StringRef What);

} // namespace gpuprune

#endif // GPUPRUNE_TOOLS_GPUPRUNE_OPERANDS_H
