//===- TuningOptions.h - Options of the commands that tune --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TOOLS_GPUPRUNE_TUNINGOPTIONS_H
#define GPUPRUNE_TOOLS_GPUPRUNE_TUNINGOPTIONS_H

#include "gpuprune/Driver/Tuner.h"

namespace gpuprune {

/// --db, else $GPUPRUNE_DB; a place that nobody named is used if that can be.
DatabaseOptions databaseOptions();

/// What the commands that tune have in common, for the program \p Argv0. Usage error for a value that is
/// none.
llvm::Expected<TuneOptions> tuningOptions(const char *Argv0, llvm::StringRef Device);

/// The words that --check takes.
std::vector<std::string> checkModes();

} // namespace gpuprune

#endif // GPUPRUNE_TOOLS_GPUPRUNE_TUNINGOPTIONS_H
