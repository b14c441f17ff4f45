//===- Help.h - What --help prints ------------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TOOLS_GPUPRUNE_HELP_H
#define GPUPRUNE_TOOLS_GPUPRUNE_HELP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CommandLine.h"
#include <string>

namespace gpuprune {

/// Hides what is LLVM's own, of \p Commands and of the program, and puts the options of \p Ours into the
/// groups that
/// --help shows. An option that no group names stays in \p Ours.
void arrangeHelp(llvm::ArrayRef<llvm::cl::SubCommand *> Commands, llvm::cl::OptionCategory &Ours);

/// What --help says first: of the command that \p FirstArgument names, else of the
/// program.
llvm::StringRef helpOverview(llvm::StringRef FirstArgument);

} // namespace gpuprune

#endif // GPUPRUNE_TOOLS_GPUPRUNE_HELP_H
