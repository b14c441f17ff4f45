//===- ExitCode.h - What an error makes of the exit code ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TOOLS_GPUPRUNE_EXITCODE_H
#define GPUPRUNE_TOOLS_GPUPRUNE_EXITCODE_H

#include "gpuprune/Support/Error.h"

namespace gpuprune {

/// As docs/command-line.md lists them.
int exitCode(ErrorKind Kind);

} // namespace gpuprune

#endif // GPUPRUNE_TOOLS_GPUPRUNE_EXITCODE_H
