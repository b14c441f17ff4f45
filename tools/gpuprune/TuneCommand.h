//===- TuneCommand.h - gpuprune tune ----------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TOOLS_GPUPRUNE_TUNECOMMAND_H
#define GPUPRUNE_TOOLS_GPUPRUNE_TUNECOMMAND_H

#include "gpuprune/Driver/ProgramTuner.h"
#include "gpuprune/Driver/SequenceTuner.h"

namespace gpuprune {

/// The options of tune alone; whether it is only to print the space.
bool readTuneOptions(TuneOptions &Options);

/// gpuprune tune, of one launch or of a sequence. The result goes to \p Write or \p WriteSequence. An error,
/// after that, where a launch fails as its author wrote it, the runner failed, or the choices of a sequence
/// compute something else together.
llvm::Error runTune(TuneOptions Options, Progress &Shown,
                    llvm::function_ref<llvm::Error(const TuneReport &)> Write,
                    llvm::function_ref<llvm::Error(const SequenceReport &)> WriteSequence,
                    llvm::function_ref<llvm::Error(const ProgramReport &)> WriteProgram);

} // namespace gpuprune

#endif // GPUPRUNE_TOOLS_GPUPRUNE_TUNECOMMAND_H
