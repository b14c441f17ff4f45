//===- RecordCommand.h - gpuprune record ---------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TOOLS_GPUPRUNE_RECORDCOMMAND_H
#define GPUPRUNE_TOOLS_GPUPRUNE_RECORDCOMMAND_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuprune {

/// gpuprune record: runs the command that stands behind -- in \p Arguments, all of the command line, with the
/// recorder, and gives its exit code; or, where there is no --, does what the first of \p Operands says. A
/// command that was ended by a signal ends this process, too. Errors: Usage, Toolchain, Io, Input.
llvm::Expected<int> runRecord(llvm::ArrayRef<char *> Arguments, llvm::ArrayRef<std::string> Operands);

/// What --keep takes.
std::vector<std::string> keepRules();

} // namespace gpuprune

#endif // GPUPRUNE_TOOLS_GPUPRUNE_RECORDCOMMAND_H
